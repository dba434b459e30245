import CircleModel
import CircleState
import Diagnostics
import Digest
import JSONText
import Testing

@testable import CirclePlan
@testable import CircleReport

struct HTMLTests {
  private static var plan: ReportSection { .plan(PlanSection(Sample.everything, files: Sample.files)) }

  private func page(_ sections: [ReportSection], _ result: ReportResult = .done) throws -> String {
    try Sample.rendered(sections, as: .html, result: result)
  }

  @Test func `a page names the digests of its only script and its only style`() throws {
    let page = try page([Self.plan])
    for (element, text) in [("script", pageScript), ("style", pageStyle)] {
      let digest = base64(SHA256.digest(of: text).bytes)
      #expect(page.contains("\(element)-src &#39;sha256-\(digest)&#39;"))
      #expect(page.components(of: "<\(element)>") == 1)
      #expect(page.contains("<\(element)>\(text)</\(element)>"))
    }
    #expect(page.contains("default-src &#39;none&#39;"))
    #expect(!page.contains("http://") && !page.contains("https://"))
  }

  @Test func `the numbers of a plan bear the names that JSON has`() throws {
    let page = try page([Self.plan], .refused)
    for (key, number) in [
      ("create", 2), ("update", 3), ("delete", 2), ("pending", 6), ("drift", 1), ("unmanaged", 1),
      ("unmanagedUsers", 1), ("unmanagedMembers", 3), ("blocked", 1),
    ] {
      #expect(page.contains("data-count=\"\(key)\">\(number)<"), "\(key)")
    }
  }

  @Test func `what is refused stands with its way out, and changes lead to it`() throws {
    let page = try page([Self.plan], .refused)
    #expect(page.contains("id=\"refusal-0\""))
    #expect(page.contains("<p class=\"way\">Way out</p><pre>keep &#39;owner: alice&#39;\n</pre>"))
    #expect(page.contains("<a href=\"#refusal-0\">refused: owner-change</a>"))
  }

  @Test func `who gains and who loses rights is told apart`() throws {
    let page = try page([Self.plan])
    let loses = try #require(page.firstRange(of: "Loses a moderator’s rights (1)"))
    let gains = try #require(page.firstRange(of: "Gains a moderator’s rights (1)"))
    #expect(page[loses.upperBound..<gains.lowerBound].contains("<bdi>dave</bdi>"))
    #expect(page[gains.upperBound...].contains("<bdi>bob</bdi></b> in <bdi>swift-fans</bdi>: user → moderator"))
  }

  @Test func `the members of a server before and after`() {
    let plan = Sample.plan { plan in
      plan.result.servers[0].memberCount = 10
      for (user, action) in [(Sample.bob, Change.Action.create), (Sample.carol, .delete), (Sample.dave, .create)] {
        plan.add(Change(action, .membership, .pending, server: Sample.fans, user: user, at: .none))
      }
      var refused = Change(.create, .membership, .blocked, server: Sample.fans, user: Sample.dave, at: .none)
      refused.refusal = 0
      plan.add(refused)
      plan.refusals.append(PlanRefusal(.blockedCreate, handle: "swift-fans", at: .none, "no"))
      plan.result.servers[1].memberCount = 5
      plan.result.servers[1].isDestroyed = true
      plan.add(Change(.delete, .server, .pending, server: Sample.club, at: .none))
    }
    #expect(
      ServerSize.changed(by: plan) == [
        ServerSize(handle: "old-club", before: 5, after: 0), ServerSize(handle: "swift-fans", before: 9, after: 10),
      ])
  }

  @Test func `what a guard refuses is shown as if it ran`() {
    let plan = Sample.plan { plan in
      plan.result.servers[0].memberCount = 3
      var blocked = Change(.delete, .membership, .blocked, server: Sample.fans, user: Sample.bob, at: .none)
      blocked.refusal = 0
      plan.add(blocked)
      let breach = GuardBreach(kind: .member, handle: "swift-fans", removals: 1, base: 3, reason: .leavesEmpty)
      plan.refusals.append(PlanRefusal(.guard(breach), handle: "swift-fans", at: .none, "too many"))
    }
    #expect(ServerSize.changed(by: plan) == [ServerSize(handle: "swift-fans", before: 4, after: 3)])
  }

  @Test func `events stand on a time line with their audiences`() throws {
    var later = SampleEvent.all
    for position in later.indices.dropFirst(5) { later[position].time += 60_000 }
    let page = try page([.events(SampleEvent.section(.listing, later))])
    #expect(page.components(of: "<time ") == 2)
    #expect(page.contains("datetime=\"2025-01-02T03:05:05.678Z\">2025-01-02 03:05:05 UTC<"))
    #expect(page.contains("12 users <span class=\"soft\">all members but the one concerned</span>"))
    #expect(page.contains("data-event=\"onServerRoleAssigned\">2<"))
    #expect(page.contains("aria-label=\"Events over time, at most 5 in a slot\""))
  }

  @Test func `a fault shows its line with what is meant marked`() throws {
    var files = SourceFiles()
    let file = files.add(path: "a.yaml", bytes: Array("  nmae: <b>\n".utf8))
    let fault = Diagnostic.error("a.b", "no", at: Place(file: file, line: 1, column: 3), end: 7)
    let page = try page([.faults(FaultList([fault], files: files))], .badInput)
    #expect(page.contains("<pre>  <mark>nmae</mark>: &lt;b&gt;</pre>"))
  }

  @Test(arguments: [0, 1, 60, 61])
  func `few changes stand open, many are folded`(count: Int) throws {
    let plan = Sample.plan { plan in
      for number in 0..<count {
        plan.add(
          Change(.create, .membership, .pending, server: Sample.fans, user: Sample.bob, at: Sample.place(number + 1, 1))
        )
      }
    }
    let page = try page([.plan(PlanSection(plan, files: Sample.files))])
    #expect(page.components(of: "<tr data-row=") == count)
    #expect(page.contains("<details class=\"server\" open>") == (1...60).contains(count))
  }
}

extension String {
  /// How often the text holds another.
  fileprivate func components(of text: String) -> Int {
    var count = 0
    var rest = self[...]
    while let range = rest.firstRange(of: text) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}
