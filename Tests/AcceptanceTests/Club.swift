import Testkit

/// Two communities: one with devices, a moderator and twelve members, one small.
enum Club {
  static let time = "--now 2025-02-03T04:05:06Z --id-seed edit"

  static let manifest =
    "version: 1\nusers:\n  olga: {nickName: Olga, devices: [phone, mac]}\n  max: {}\n"
    + members.map { "  \($0): {}\n" }.joined() + """
      servers:
        readers:
          name: 读书会
          owner: olga
          tags: [books, 中文]
          moderators:
            - max
          members:

      """ + members.map { "      - \($0)\n" }.joined() + """
        garden:
          name: Garden
          owner: max
          members: [olga, u01, u02]

      """

  static let members = (1...12).map { $0 < 10 ? "u0\($0)" : "u\($0)" }

  /// The two communities, not applied yet.
  static func scene() throws -> Scene {
    try Scene(["club/club.yaml": manifest])
  }

  /// The two communities, applied to a new state.
  static func applied() throws -> Scene {
    let scene = try scene()
    let ending = try scene("apply club --yes -q --now 2025-01-02T03:04:05Z --id-seed acceptance")
    guard ending.status == 0 else { throw TemporaryFolder.Failure(description: ending.errors) }
    return scene
  }
}
