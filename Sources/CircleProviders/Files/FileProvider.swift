package import CircleKit
import Diagnostics
import Synchronization

/// A table of users in a file, read when it is first needed and again when it has changed.
package final class FileProvider: UserInfoDelegate {
  /// The largest file that is read, in bytes.
  private static let largest = 1 << 30

  package let definition: ProviderDefinition
  private let path: String
  private let wanted: Set<UserKey>?

  private struct Contents {
    var stamp: WholeFile.Stamp?
    var isRead = false
    var users: [UserKey: User] = [:]
    var failure: ProviderError?
    var warnings: ProviderWarnings?
  }

  private let contents = Mutex(Contents())

  /// - Parameters:
  ///   - definition: its name, for messages.
  ///   - path: where the file is.
  ///   - wanted: whom alone it will be asked for, so that no others need be kept; nil for everybody.
  package init(_ definition: ProviderDefinition, path: String, wanted: [String]? = nil) {
    self.definition = definition
    self.path = path
    self.wanted = wanted.map { Set($0.map { UserKey($0) }) }
  }

  package func getUserInfo(account: String) -> User? {
    contents.withLock { contents in
      refresh(&contents)
      return contents.users[UserKey(account)]
    }
  }

  /// Reads the file unless it was read as it is now.
  /// - Returns: how many users it has.
  package func load() throws(ProviderError) -> Int {
    let (count, failure) = contents.withLock { contents in
      refresh(&contents)
      return (contents.users.count, contents.failure)
    }
    if let failure { throw failure }
    return count
  }

  /// What went wrong with what was read last; nil also where nothing was read.
  package var failure: ProviderError? { contents.withLock { $0.failure } }
  /// What is doubtful in it.
  package var warnings: ProviderWarnings? { contents.withLock { $0.warnings } }
  /// Everybody in the file, also those who were not wanted, in no particular order; reads it anew.
  package var userIDs: [String] {
    guard wanted != nil else { return contents.withLock { $0.users.values.map(\.userId) } }
    let whole = FileProvider(definition, path: path)
    return (try? whole.load()) == nil ? [] : whole.userIDs
  }

  private func refresh(_ contents: inout Contents) {
    let stamp = WholeFile.stamp(of: path)
    guard !contents.isRead || contents.stamp != stamp else { return }
    contents = Contents(stamp: stamp, isRead: true)
    do throws(ProviderError) {
      try read(&contents)
    } catch {
      contents.failure = error
    }
  }

  private func read(_ contents: inout Contents) throws(ProviderError) {
    var files = SourceFiles()
    let file = files.add(path: path)
    guard let format = UserTable.Format(path: path) else {
      throw unreadable("its name ends with none of .csv, .json and .ndjson", file, files)
    }
    let bytes: [UInt8]
    do throws(WholeFile.Failure) {
      bytes = try WholeFile.read(path, atMost: Self.largest)
    } catch {
      throw unreadable(error.reason, file, files)
    }
    let table = UserTable(bytes, as: format, file: file, wanted: wanted)
    if table.diagnostics.hasErrors {
      let first = table.diagnostics.errors.first
      let line = first.map { " in line \($0.place.line)" } ?? ""
      throw ProviderError(
        .malformed, "the file of provider '\(definition.name)' is wrong\(line): \(first?.message ?? "")",
        faults: table.diagnostics.errors, files: files)
    }
    contents.users = table.users
    if !table.diagnostics.isEmpty { contents.warnings = ProviderWarnings(table.diagnostics, files: files) }
  }

  private func unreadable(_ reason: String, _ file: FileIndex, _ files: SourceFiles) -> ProviderError {
    ProviderError(
      .unreadable, "the file '\(path)' of provider '\(definition.name)' can't be read: \(reason)",
      faults: [
        ProviderFault.unreadableFile.error(
          "the file of provider '\(definition.name)' can't be read: \(reason)",
          at: Place(file: file, line: 0, column: 0))
      ], files: files)
  }
}
