import Glibc
import Testing
import Testkit

@testable import CircleProviders

struct ConfiguredProvidersTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private var folders: ProviderFolders { ProviderFolders(environment: ["HOME": folder.path]) }
  private var list: ConfiguredProviders { ConfiguredProviders(folders) }
  private let file = ".config/circlectl/providers.json"
  private let two = [
    ProviderDefinition(name: "staff", source: .file("/srv/users.csv")),
    ProviderDefinition(name: "ldap", source: .exec("ldap-users \"$X\"\n"), timeout: 1500),
  ]

  private func add(_ providers: [ProviderDefinition]) throws {
    _ = try list.change { $0 += providers }
  }

  private func failure() -> ProviderError? {
    do throws(ProviderError) {
      _ = try list.load()
      return nil
    } catch {
      return error
    }
  }

  @Test func `providers are there again in the order added, for their owner alone`() throws {
    #expect(try list.load() == [])
    try add([two[0]])
    try add([two[1]])
    #expect(try list.load() == two)
    var status = stat()
    #expect(stat(folder.path(file), &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    #expect(try folder.read(file).contains("\"circlectlProviders\": 1"))
  }

  @Test func `a link to the file stays a link`() throws {
    try folder.write("{\"circlectlProviders\":1,\"providers\":[]}", to: "dotfiles/providers.json")
    _ = mkdir(folder.path(".config"), 0o755)
    _ = mkdir(folder.path(".config/circlectl"), 0o755)
    #expect(symlink(folder.path("dotfiles/providers.json"), folder.path(file)) == 0)
    try add(two)
    #expect(try folder.read("dotfiles/providers.json").contains("ldap"))
    #expect(try list.load() == two)
  }

  @Test(arguments: [
    ("", "1:1"), ("{\n  \"circlectlProviders\": 1,\n  \"providers\": [\n", "4:1"), ("[]", "circlectlProviders"),
    ("{\"circlectlProviders\":2}", "format 2"), ("{\"circlectlProviders\":1}", "no list"),
    ("{\"circlectlProviders\":1,\"providers\":[{\"name\":\"a\"}]}", "entry 1"),
    ("{\"circlectlProviders\":1,\"providers\":[{\"name\":\"../a\",\"exec\":\"x\"}]}", "entry 1"),
    (
      "{\"circlectlProviders\":1,\"providers\":[{\"name\":\"a\",\"exec\":\"x\"},{\"name\":\"a\",\"exec\":\"x\"}]}",
      "two providers"
    ),
    ("{\"circlectlProviders\":1,\"providers\":[{\"name\":\"a\",\"exec\":\"x\",\"file\":\"/y\"}]}", "entry 1"),
    ("{\"circlectlProviders\":1,\"providers\":[{\"name\":\"a\",\"exec\":\"x\",\"timeout\":0}]}", "entry 1"),
  ])
  func `a damaged file is told with its place and left as it is`(text: String, part: String) throws {
    try folder.write(text, to: file)
    let failure = failure()
    #expect(failure?.kind == .damagedConfiguration)
    #expect(failure?.message.contains(file) == true)
    #expect(failure?.message.contains(part) == true, "\(failure?.message ?? "")")
    #expect(throws: ProviderError.self) { try add(two) }
    #expect(try folder.read(file) == text)
  }

  @Test(arguments: [
    (["HOME": "/h"], "/h/.config/circlectl", "/h/.cache/circlectl"),
    (["HOME": "/h", "XDG_CONFIG_HOME": "/c", "XDG_CACHE_HOME": "/k"], "/c/circlectl", "/k/circlectl"),
    (["HOME": "/h", "XDG_CONFIG_HOME": "", "XDG_CACHE_HOME": "k"], "/h/.config/circlectl", "/h/.cache/circlectl"),
    (["HOME": ""], nil, nil), ([:], nil, nil),
  ])
  func `the folders are those of XDG`(environment: [String: String], configuration: String?, cache: String?) {
    let folders = ProviderFolders(environment: environment)
    #expect(folders.configuration == configuration)
    #expect(folders.cache == cache)
  }

  @Test func `without a home there are no providers, and none can be added`() throws {
    let list = ConfiguredProviders(ProviderFolders(environment: [:]))
    #expect(try list.load() == [])
    let failure = #expect(throws: ProviderError.self) { _ = try list.change { $0 += two } }
    #expect(failure?.kind == .noFolder)
    #expect(failure?.message.contains("HOME") == true)
  }

  @Test(arguments: ["a", "ldap-2", "a.b_C", String(repeating: "x", count: 64)])
  func `names that a file can have`(name: String) { #expect(ProviderDefinition.isName(name)) }

  @Test(arguments: ["", ".a", "-a", "a/b", "..", "a b", "é", String(repeating: "x", count: 65)])
  func `names that it can't`(name: String) { #expect(!ProviderDefinition.isName(name)) }
}
