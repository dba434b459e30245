import CircleModel
import CircleState

/// How many events of each name there are, and how many hear them.
struct EventTally {
  private var counts = [Int](repeating: 0, count: EventName.allCases.count)
  private var receivers = [Int](repeating: 0, count: EventName.allCases.count)

  mutating func add(_ event: LoggedEvent) {
    counts[Int(event.name.rawValue)] += 1
    receivers[Int(event.name.rawValue)] += event.audience
  }

  init() {}

  init(_ section: EventsSection) throws(RenderError) {
    var tally = EventTally()
    try section.forEach { (event, _, _) throws(OutputError) in tally.add(event) }
    self = tally
  }

  var total: Int { counts.reduce(0, +) }

  /// The names that occur, in the order of the SDK's list.
  var rows: [(name: EventName, count: Int, receivers: Int)] {
    EventName.allCases.compactMap { name in
      let index = Int(name.rawValue)
      return counts[index] == 0 ? nil : (name, counts[index], receivers[index])
    }
  }
}

extension EventName {
  /// Who hears it: "2 users", "1 device".
  func hearers(_ count: Int) -> String { counted(count, isDeviceEvent ? "device" : "user") }
}
