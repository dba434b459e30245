import CircleModel
import Diagnostics
import Glibc
import Testing

@testable import CircleManifest

/// A large real set, read where it lies beside the package.
struct OrganisationTests {
  private static let folder: String = {
    let package = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
    return package + "/../shared/data/org"
  }()

  private static var isPresent: Bool { access(folder, R_OK) == 0 }

  @Test(.enabled(if: isPresent))
  func `a large real set is read without a fault`() {
    let reading = Reading(paths: [Self.folder])
    #expect(reading.printed == "")
    #expect(reading.files.count == 73)
    #expect(reading.state.servers.count == 774)
    #expect(reading.state.users.count == 1509)
  }

  @Test(.enabled(if: isPresent))
  func `the canonical form of a large real set means the same, and has no other form`() throws {
    try ManifestFormatterTests.expectSameMeaning(of: Self.folder)
  }
}
