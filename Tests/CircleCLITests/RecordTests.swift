import Testing

@testable import CircleCLI

/// What holds for the records of all commands.
struct RecordTests {
  static let lines = [
    "server create New --owner dave", "server update pub --desc x", "server rename pub bar", "server get priv",
    "server list", "server list --as bob", "server search The", "server destroy pub --yes", "tag add pub x",
    "tag remove pub tea", "tag list pub", "member join pub dave", "member leave pub bob", "member remove pub bob carol",
    "member check pub bob", "member role pub bob", "member list pub", "moderator add pub carol",
    "moderator remove pub bob", "moderator list --all", "invitation send pub erin", "invitation list",
    "invitation accept pub frank --inviter alice", "invitation decline pub frank --inviter alice",
    "invitation withdraw pub frank", "user register zoe", "user update bob --set 3=B --set 99=x --as bob",
    "user devices bob pad", "user list", "user memberships bob", "user offboard bob --yes", "member join nowhere bob",
  ]

  @Test(arguments: lines)
  func `every line of NDJSON has its type first and no key twice`(line: String) throws {
    let ending = try TestCircle()("\(line) -o ndjson")
    for record in ending.output.split(separator: "\n") {
      #expect(record.hasPrefix("{\"type\":\"") && record.hasSuffix("}"), "\(record)")
      let keys = Self.keys(of: record)
      #expect(Set(keys).count == keys.count, "\(record)")
    }
  }

  @Test(arguments: lines)
  func `all formats tell the same thing with the same ending`(line: String) throws {
    let endings = try ["text", "json", "ndjson"].map { try TestCircle()("\(line) -o \($0)") }
    #expect(Set(endings.map(\.status)).count == 1)
    guard endings[0].status == 0 else { return }
    #expect(endings.allSatisfy { !$0.output.isEmpty })
    #expect(endings[1].output.hasPrefix("{\n  \"circlectlReport\": 1,\n"))
    let commits = endings[2].output.contains("{\"type\":\"run\"")
    #expect(endings[0].output.contains("Run 15 at ") == commits)
    #expect(endings[1].output.contains("\"run\": {") == commits)
  }

  /// The keys of an object itself, not of what is in it.
  private static func keys(of object: Substring) -> [String] {
    var keys: [String] = []
    var (depth, isInText, isKey) = (0, false, false)
    var text = ""
    var isEscaped = false
    for character in object {
      if isInText {
        if !isEscaped, character == "\"" {
          isInText = false
          if depth == 1, isKey { keys.append(text) }
        }
        isEscaped = !isEscaped && character == "\\"
        text.append(character)
        continue
      }
      switch character {
      case "{", "[":
        depth += 1
        isKey = true
      case "}", "]": depth -= 1
      case ",": isKey = true
      case ":": isKey = false
      case "\"":
        isInText = true
        text = ""
      default: break
      }
    }
    return keys
  }
}
