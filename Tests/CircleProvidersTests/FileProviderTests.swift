import CircleKit
import Glibc
import Testing
import Testkit

@testable import CircleProviders

struct FileProviderTests {
  private func provider(_ folder: TemporaryFolder, _ name: String) -> FileProvider {
    FileProvider(ProviderDefinition(name: "staff", source: .file(folder.path(name))), path: folder.path(name))
  }

  @Test func `a file is read when it is needed, and again when it has changed`() throws {
    let folder = try TemporaryFolder()
    try folder.write("userId,nickName\nbob,Bob\n", to: "users.csv")
    let provider = provider(folder, "users.csv")
    #expect(provider.getUserInfo(account: "BOB")?.shownName == "Bob")
    #expect(provider.getUserInfo(account: "amy") == nil)
    try folder.write("userId,nickName\nbob,Robert\n", to: "users.csv")
    #expect(provider.getUserInfo(account: "bob")?.shownName == "Robert")
    try folder.write("userId,nickName\n\"bob\n", to: "users.csv")
    #expect(provider.getUserInfo(account: "bob") == nil)
    #expect(provider.failure?.kind == .malformed)
    #expect(provider.failure?.message.contains("line 2") == true)
  }

  @Test(arguments: ["nowhere.csv", ".", "pipe.csv", "users.txt"])
  func `what can't be read is told, without waiting for it`(name: String) throws {
    let folder = try TemporaryFolder()
    #expect(mkfifo(folder.path("pipe.csv"), 0o600) == 0)
    try folder.write("userId\n", to: "users.txt")
    let provider = provider(folder, name)
    #expect(provider.getUserInfo(account: "bob") == nil)
    #expect(provider.failure?.kind == .unreadable)
    #expect(provider.failure?.message.contains("provider 'staff'") == true)
  }
}
