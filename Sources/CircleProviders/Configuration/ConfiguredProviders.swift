import Diagnostics
import Glibc
import JSONText

/// The file `providers.json` in the folder of a person's configuration: which providers there are, in the order in which
/// they are asked.
package struct ConfiguredProviders: Sendable {
  private static let version = 1
  private static let largest = 1 << 20
  /// How long to wait for another process that changes it, in milliseconds.
  private static let wait = 5000

  private let folder: String?

  package init(_ folders: ProviderFolders) {
    folder = folders.configuration
  }

  /// nil where the environment names no place for it.
  package var path: String? { folder.map { "\($0)/providers.json" } }

  /// The providers; none where there is no file, or no place for one.
  package func load() throws(ProviderError) -> [ProviderDefinition] {
    guard let path else { return [] }
    let bytes: [UInt8]
    do throws(WholeFile.Failure) {
      bytes = try WholeFile.read(path, atMost: Self.largest)
    } catch {
      if error.number == ENOENT || error.number == ENOTDIR { return [] }
      throw ProviderError(.noFolder, "the list of providers '\(path)' can't be read: \(error.reason)")
    }
    return try Self.parse(bytes, path: path)
  }

  /// Changes the list, with no other process doing so at the same time.
  ///
  /// - Parameter change: gets the providers as they are; what it throws leaves them so.
  package func change<E: Error>(
    _ change: (inout [ProviderDefinition]) throws(E) -> Void
  ) throws(ProviderError) -> Result<Void, E> {
    guard let folder, let path else {
      throw ProviderError(
        .noFolder, "there is no place for the list of providers: neither XDG_CONFIG_HOME nor HOME names a folder",
        next: ["Set HOME, or XDG_CONFIG_HOME to the absolute path of a folder."])
    }
    do throws(WholeFile.Failure) { try WholeFile.makeFolder(folder) } catch { throw Self.cannotWrite(path, error) }
    let done = try WholeFile.locked("\(folder)/.providers.lock", wait: Self.wait) {
      () throws(ProviderError) -> Result<Void, E> in
      var providers = try load()
      do throws(E) { try change(&providers) } catch { return .failure(error) }
      do throws(WholeFile.Failure) {
        try WholeFile.replace(path, with: Self.encode(providers))
      } catch {
        throw Self.cannotWrite(path, error)
      }
      return .success(())
    }
    guard let done else {
      throw ProviderError(
        .noFolder,
        "the list of providers '\(path)' can't be locked: another process is changing it, or its folder is read-only")
    }
    return done
  }

  private static func cannotWrite(_ path: String, _ failure: WholeFile.Failure) -> ProviderError {
    ProviderError(.noFolder, "the list of providers '\(path)' can't be written: \(failure.reason)")
  }

  // MARK: The format

  private static func encode(_ providers: [ProviderDefinition]) -> [UInt8] {
    var writer = JSONWriter(form: .pretty)
    writer.object { writer in
      writer.field("circlectlProviders", version)
      writer.key("providers")
      writer.array { writer in
        for provider in providers {
          writer.object { writer in
            writer.field("name", provider.name)
            switch provider.source {
            case .file(let path): writer.field("file", path)
            case .exec(let command):
              writer.field("exec", command)
              writer.field("timeout", provider.timeout)
            }
          }
        }
      }
    }
    writer.endLine()
    return writer.buffer.bytes
  }

  private static func parse(_ bytes: [UInt8], path: String) throws(ProviderError) -> [ProviderDefinition] {
    var files = SourceFiles()
    let file = files.add(path: path)
    func damaged(_ sentence: String, line: Int = 0, column: Int = 0) -> ProviderError {
      let place = line > 0 ? "\(path):\(line):\(column)" : path
      return ProviderError(
        .damagedConfiguration, "the list of providers is damaged: \(place): \(sentence)",
        next: ["Mend the file, or remove it and add the providers again."],
        faults: [ProviderFault.configuration.error(sentence, at: Place(file: file, line: line, column: column))],
        files: files)
    }
    let document: JSONDocument
    do throws(JSONFault) {
      document = try JSONDocument(bytes)
    } catch {
      throw damaged(error.sentence, line: error.line, column: error.column)
    }
    guard let version = document.root["circlectlProviders"]?.integer else {
      throw damaged("it does not begin with 'circlectlProviders'", line: 1, column: 1)
    }
    guard version == Self.version else {
      throw damaged("it has format \(version), and this version of circlectl knows \(Self.version) only")
    }
    guard let list = document.root["providers"], list.kind == .array else {
      throw damaged("it has no list 'providers'")
    }
    var providers: [ProviderDefinition] = []
    try list.forEachElement { (entry) throws(ProviderError) in
      guard let provider = definition(entry) else {
        throw damaged("entry \(providers.count + 1) of 'providers' is no provider with a name and a file or command")
      }
      guard !providers.contains(where: { $0.name == provider.name }) else {
        throw damaged("two providers are named '\(provider.name)'")
      }
      providers.append(provider)
    }
    return providers
  }

  private static func definition(_ entry: JSONNode) -> ProviderDefinition? {
    guard let name = entry["name"]?.string, ProviderDefinition.isName(name) else { return nil }
    switch (entry["file"]?.string, entry["exec"]?.string) {
    case (let path?, nil) where path.utf8.first == UInt8(ascii: "/"):
      return ProviderDefinition(name: name, source: .file(path))
    case (nil, let command?) where !command.isEmpty:
      let timeout = entry["timeout"]?.integer ?? ProviderDefinition.defaultTimeout
      guard (1...ProviderDefinition.longestTimeout).contains(timeout) else { return nil }
      return ProviderDefinition(name: name, source: .exec(command), timeout: timeout)
    default: return nil
    }
  }
}
