import CircleModel
import Glibc

/// The bytes from which ids are made: for each run the same text, which the next event's number makes different, or
/// random ones.
struct SeedSource {
  private let text: String?

  init(_ text: String?) {
    self.text = text
  }

  mutating func next() -> [UInt8] {
    if let text { return Array(text.utf8) }
    var generator = SystemRandomNumberGenerator()
    return (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }
}

/// Unix milliseconds, UTC.
package func systemMilliseconds() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
}

func thisProcess() -> Int32 { getpid() }
