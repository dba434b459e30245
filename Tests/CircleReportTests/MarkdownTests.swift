import CircleModel
import CirclePlan
import CircleState
import Diagnostics
import JSONText
import Testing

@testable import CircleReport

struct MarkdownTests {
  @Test func `a plan: what is refused first, then rights, removals and all else`() throws {
    let rendered = try Sample.rendered(
      [.plan(PlanSection(Sample.everything, files: Sample.files))], as: .markdown, result: .refused)
    let expected = """
      ### ❌ `circlectl diff`: refused

      **Plan: 2 to create, 3 to change, 2 to remove; 1 of them drift; 1 blocked; 1 server, 1 user and 3 members unmanaged.**

      | create | update | delete | drift | unmanaged | blocked |
      | ---: | ---: | ---: | ---: | ---: | ---: |
      | 2 | 3 | 2 | 1 | 1 | 1 |

      - ❌ swift-fans: the owner of an existing server can't change from 'alice' to 'bob' (`plan.owner-change`) at `manifests/a.yaml:4:3`, blocks 1 change<br>↳ `keep 'owner: alice'`

      #### Blocked

      |  | Server | Change | Where | Why |
      | --- | --- | --- | --- | --- |
      | ~ | `swift-fans` | owner: `alice` → `bob` | `manifests/a.yaml:4:3` | refused: owner-change |

      #### Moderators

      |  | Server | Change | Where | Why |
      | --- | --- | --- | --- | --- |
      | ~ | `swift-fans` | role `dave`: `moderator` → `user` | `manifests/a.yaml:7:5` | drift, not among the moderators |
      | ~ | `swift-fans` | role `bob`: `user` → `moderator` | `manifests/a.yaml:10:7` |  |

      #### Removals

      |  | Server | Change | Where | Why |
      | --- | --- | --- | --- | --- |
      | − | `swift-fans` | member `carol`: was `user` | `manifests/a.yaml:8:5` | no longer listed |
      | − | `swift-fans` | tag: was `旧` | `manifests/a.yaml:6:5` | not among the tags |

      #### Changes

      |  | Server | Change | Where | Why |
      | --- | --- | --- | --- | --- |
      | + |  | user `bob` | `manifests/a.yaml:2:5` |  |
      | ~ | `swift-fans` | desc: `a\\nb` | `manifests/社区.yaml:5:9` |  |
      | + | `swift-fans` | member `bob`: `user` | `manifests/a.yaml:9:7` |  |

      #### Unmanaged

      |  | Server | Change | Where | Why |
      | --- | --- | --- | --- | --- |
      | ? | `old-club` | server: was `Old "Club"` |  |  |

      #### Notes

      - dave declined an invitation to swift-fans and is not invited again


      """
    #expect(rendered.split(separator: "\n") == expected.split(separator: "\n"))
  }

  /// A plan of so many changes of different kinds, so that no run of them is cut.
  private func plan(_ count: Int, _ value: String = "value") -> Plan {
    Sample.plan { plan in
      for number in 0..<count {
        var change = Change(.update, .attribute, .pending, server: Sample.fans, at: Sample.place(number + 1, 7))
        change.field = number.isMultiple(of: 2) ? ServerField.name.rawValue : ServerField.desc.rawValue
        change.rule = number.isMultiple(of: 2) ? .manifest : .renamedFrom
        plan.add(change, ChangeText(before: Text(value), after: Text("\(value)\(number)")))
      }
    }
  }

  @Test(arguments: [100, 1000, 20_000], ["value", "||||````", "社区社区", "😀😀"])
  func `a comment has room for 65,536 characters`(count: Int, value: String) throws {
    let section = ReportSection.plan(PlanSection(plan(count, value), files: Sample.files))
    let text = try Sample.rendered([section], as: .markdown)
    #expect(text.utf16.count <= 65_536)
    let rows = text.split(separator: "\n").count { $0.contains("manifests/a.yaml:") }
    let more = count - rows
    #expect(text.contains("\nand \(more) more changes\n") == (more > 0))
    #expect(count == 100 ? rows == 100 : rows > 200)
  }

  @Test func `an endless list of anything keeps to the limit`() throws {
    let long = String(repeating: "|`<", count: 400)
    let faults = FaultList(
      (0..<100).map { .error("a.b", "\(long)\($0)", at: Sample.place($0 + 1, 1), help: long) }, files: Sample.files)
    let records = RecordList(
      "user", "users", [.init("a", "a"), .init("b", "b")],
      rows: Array(repeating: [.text(long), .texts([long])], count: 2000))
    let events = SampleEvent.section(.listing, Array(repeating: SampleEvent.all[0], count: 2000))
    let sections: [ReportSection] =
      (0..<50).map { _ in .message("\(long)\n\(long)") } + [
        .faults(faults), .records(records), .events(events),
        .history(Array(repeating: HistoryEntry(Sample.run(reason: long)), count: 500)),
        .verification(Verification(faults: Array(repeating: long, count: 100), head: Sample.head)),
      ]
    for result in [ReportResult.done, .failed] {
      let text = try Sample.rendered(sections, as: .markdown, result: result)
      #expect(text.utf16.count <= 65_536)
      #expect(text.contains(" more rows"))
      #expect(text.contains(" more events"))
      #expect(text.contains(" more runs"))
      #expect(text.contains(" more faults"))
    }
  }

  @Test func `a long list is folded`() throws {
    let text = try Sample.rendered([.plan(PlanSection(plan(30), files: Sample.files))], as: .markdown)
    #expect(text.contains("<details><summary><b>Changes</b> (30)</summary>\n\n|"))
    #expect(text.contains("\n\n</details>\n"))
  }

  @Test func `events are counted, and listed where they were asked for`() throws {
    let consequence = try Sample.rendered([.events(SampleEvent.section(.consequence, SampleEvent.all))], as: .markdown)
    #expect(consequence.contains("| onMemberJoinedServer | 1 | 12 users |"))
    #expect(!consequence.contains("| Seq |"))
    let listing = try Sample.rendered([.events(SampleEvent.section(.listing, SampleEvent.all))], as: .markdown)
    #expect(listing.contains("onServerRoleAssigned | `swift-fans` | `alice` | `bob` → moderator | 2 users |"))
  }
}
