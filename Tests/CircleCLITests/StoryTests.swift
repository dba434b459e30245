import Testing

@testable import CircleCLI

/// The whole story of community management as the SDK's document tells it, by two users on two devices each.
struct StoryTests {
  private let run: TestRun

  init() throws {
    run = try TestRun()
    for line in ["user register alice --devices phone,mac", "user register bob --devices phone,pad"] {
      #expect(try run(line).status == 0)
    }
  }

  /// A step, and what each of the four clients hears of it.
  private struct Step {
    var line: String
    var heard: [String: [String]]
    var status: Int32 = 0
  }

  private static let alice = "--as alice --device phone"
  private static let bob = "--as bob --device phone"

  private static let steps: [Step] = [
    Step(line: "server create Fans \(alice)", heard: ["alice/mac": ["multiDevices.Create"]]),
    Step(
      line: "invitation send fans bob --welcome Hi \(alice)",
      heard: ["bob": ["onReceiveServerInvitation"], "alice/mac": ["multiDevices.InviteUser"]]),
    Step(
      line: "invitation decline fans --inviter alice \(bob)",
      heard: ["alice": ["onServerInvitationBeDeclined"], "bob/pad": ["multiDevices.InviteBeDeclined"]]),
    Step(
      line: "invitation send fans bob \(alice)",
      heard: ["bob": ["onReceiveServerInvitation"], "alice/mac": ["multiDevices.InviteUser"]]),
    Step(
      line: "invitation accept fans --inviter alice \(bob)",
      heard: [
        "alice": ["onServerInvitationBeAccepted", "onMemberJoinedServer"], "bob/pad": ["multiDevices.InviteBeAccepted"],
      ]),
    Step(line: "tag add fans swift \(alice)", heard: [:]),
    Step(line: "tag add fans ios \(bob)", heard: [:], status: 3),
    Step(
      line: "server update fans --desc All \(alice)",
      heard: ["bob": ["onServerUpdated"], "alice/mac": ["multiDevices.Update"]]),
    Step(line: "member leave fans \(alice)", heard: [:], status: 3),
    Step(line: "member leave fans \(bob)", heard: ["alice": ["onMemberLeftServer"], "bob/pad": ["multiDevices.Exit"]]),
    Step(line: "member check fans \(bob)", heard: [:]),
    Step(line: "server search swift \(bob)", heard: [:]),
    Step(
      line: "member join fans \(bob)", heard: ["alice": ["onMemberJoinedServer"], "bob/pad": ["multiDevices.Join"]]),
    Step(
      line: "moderator add fans bob \(alice)",
      heard: ["bob": ["onServerRoleAssigned"], "alice/mac": ["multiDevices.SetRole"]]),
    Step(line: "tag add fans ios \(bob)", heard: [:]),
    Step(line: "tag remove fans swift \(bob)", heard: [:]),
    Step(
      line: "server update fans --name Swift \(bob)",
      heard: ["alice": ["onServerUpdated"], "bob/pad": ["multiDevices.Update"]]),
    Step(line: "server destroy fans --yes \(bob)", heard: [:], status: 3),
    Step(
      line: "moderator remove fans bob \(alice)",
      heard: ["bob": ["onServerRoleAssigned"], "alice/mac": ["multiDevices.SetRole"]]),
    Step(
      line: "member remove fans bob \(alice)",
      heard: ["bob": ["onMemberRemovedFromServer"], "alice/mac": ["multiDevices.RemoveUser"]]),
    Step(line: "member role fans \(bob)", heard: [:], status: 3),
    Step(line: "server search Sw \(bob)", heard: [:]),
    Step(
      line: "member join fans \(bob)", heard: ["alice": ["onMemberJoinedServer"], "bob/pad": ["multiDevices.Join"]]),
    Step(
      line: "server destroy fans --yes \(alice)",
      heard: ["bob": ["onServerDestroyed"], "alice/mac": ["multiDevices.Destroy"]]),
    Step(line: "member join fans \(bob)", heard: [:], status: 3),
  ]

  @Test func `each client hears what the document promises, and nothing else`() throws {
    for (number, step) in Self.steps.enumerated() {
      run.time += 1000
      let ending = try run(step.line)
      #expect(ending.status == step.status, "step \(number), \(step.line): \(ending.errors)")
    }
    for client in ["alice/phone", "alice/mac", "bob/phone", "bob/pad"] {
      let user = String(client.prefix { $0 != "/" })
      let promised = Self.steps.flatMap { ($0.heard[user] ?? []) + ($0.heard[client] ?? []) }
      #expect(try heard(by: client) == promised, "\(client)")
    }
    #expect(try run("state verify").status == 0)
  }

  @Test func `what is read on the way is as the steps before left it`() throws {
    for step in Self.steps.prefix(6) { #expect(try run(step.line).status == step.status) }
    #expect(try run("member list fans --as bob -o ndjson").output.contains(#""userId":"bob","role":"user""#))
    #expect(try run("server list --as bob").output.contains("fans"))
    #expect(try run("tag list fans --as bob").output.contains("swift"))
    #expect(try run("server get fans --as bob").output.contains("Fans"))
    #expect(try run("member role fans --as bob").output.contains("user"))
    #expect(try run("server search swift --as bob").output.contains("fans"))
  }

  private func heard(by client: String) throws -> [String] {
    try run("events list --recipient \(client) -o ndjson").output.split(separator: "\n").compactMap { line in
      line.firstRange(of: "\"name\":\"").map { String(line[$0.upperBound...].prefix { $0 != "\"" }) }
    }
  }
}
