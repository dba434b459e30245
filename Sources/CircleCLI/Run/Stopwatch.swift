import Glibc
import Synchronization

/// The phases of a run: how long each took and how many objects it went through.
final class Stopwatch: Sendable {
  struct Lap: Sendable {
    var phase: Phase
    var start: Int64
    /// Nanoseconds; nil while it lasts.
    var duration: Int64?
    var objects = 0
    /// How much of the phase is done, in 1024ths; nil where that is not known.
    var share: Int?

    /// Share, objects, rate and time left, for a phase that says how much of it is done.
    var progress: String? {
      guard let share, objects > 0 else { return nil }
      let seconds = max(Double(Stopwatch.now() - start) / 1e9, 0.001)
      let left =
        share > 0 ? ", \(Int((seconds * Double(1024 - min(share, 1024)) / Double(share)).rounded(.up))) s left" : ""
      return
        "\(min(share * 100 / 1024, 100))%, \(grouped(objects)) rows, \(grouped(Int(Double(objects) / seconds))) a second\(left)"
    }

    /// The share as a bar of so many characters, without brackets.
    func bar(of width: Int) -> String {
      let filled = min((share ?? 0) * width / 1024, width)
      return String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
    }
  }

  private let laps = Mutex<[Lap]>([])
  private let start = Stopwatch.now()
  /// Nanoseconds that a person has thought about an answer.
  private let asking = Atomic<Int64>(0)

  /// Monotonic time in nanoseconds.
  static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  func begin(_ phase: Phase) {
    laps.withLock { $0.append(Lap(phase: phase, start: Self.now())) }
  }

  func end() {
    laps.withLock { laps in
      guard let last = laps.indices.last, laps[last].duration == nil else { return }
      laps[last].duration = Self.now() - laps[last].start
    }
  }

  /// Says how many objects the phase that lasts has gone through.
  ///
  /// - Parameter share: how much of the phase that is, in 1024ths.
  func count(_ objects: Int, share: Int? = nil) {
    laps.withLock { laps in
      guard let last = laps.indices.last else { return }
      laps[last].objects = objects
      laps[last].share = share
    }
  }

  /// The phase that lasts.
  var current: Lap? {
    laps.withLock { laps in laps.last.flatMap { $0.duration == nil ? $0 : nil } }
  }

  /// Leaves out of the time of the run what `body` takes, which waits for a person.
  func whileAsking<R>(_ body: () throws(Failure) -> R) throws(Failure) -> R {
    let asked = Self.now()
    defer { asking.add(Self.now() - asked, ordering: .relaxed) }
    return try body()
  }

  /// Seconds that the run has taken, but for the time in which a person was asked.
  var elapsed: Double { Double(Self.now() - start - asking.load(ordering: .relaxed)) / 1e9 }

  /// A line a phase, then the whole and the peak memory.
  var summary: String {
    var lines: [String] = []
    for lap in laps.withLock({ $0 }) {
      let duration = lap.duration ?? (Self.now() - lap.start)
      var line = "\(lap.phase.rawValue): \(decimals(Double(duration) / 1e6, 1)) ms"
      if lap.objects > 0 {
        let rate = duration > 0 ? Double(lap.objects) * 1e9 / Double(duration) : 0
        line += ", \(grouped(lap.objects)) objects, \(grouped(Int(rate))) a second"
      }
      lines.append(line)
    }
    lines.append("in all: \(decimals(elapsed * 1000, 1)) ms")
    lines.append("peak memory: \(decimals(Double(Self.peakMemory()) / 1_048_576, 1)) MiB")
    return lines.map { "circlectl: \($0)\n" }.joined()
  }

  /// Bytes.
  private static func peakMemory() -> Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss * 1024
  }
}

/// The number with so many decimals.
func decimals(_ value: Double, _ count: Int) -> String {
  var scale = 1
  for _ in 0..<count { scale *= 10 }
  let scaled = Int((value * Double(scale)).rounded())
  guard count > 0 else { return String(scaled) }
  let fraction = String(scaled % scale)
  return "\(scaled / scale)." + String(repeating: "0", count: count - fraction.utf8.count) + fraction
}

/// The number with its noun: "1 server", "2,000 servers".
func grouped(_ number: Int, _ noun: String) -> String {
  "\(grouped(number)) \(noun)\(number == 1 ? "" : "s")"
}

/// The number with a comma between thousands.
func grouped(_ number: Int) -> String {
  var digits = String(number)
  var groups: [String] = []
  while digits.utf8.count > 3 {
    groups.append(String(digits.suffix(3)))
    digits.removeLast(3)
  }
  return ([digits] + groups.reversed()).joined(separator: ",")
}
