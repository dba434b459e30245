import Glibc

/// Converts text between UTF-8 and another encoding with the system's iconv. Never puts a `?` in place of anything: it
/// stops where a character can't be converted.
final class TextConverter {
  enum Outcome: Equatable {
    /// All input was taken but perhaps the beginning of a character at its end.
    case taken
    /// There was no room for more.
    case full
    /// What follows the bytes taken is no character that can be converted.
    case stuck
  }

  private let descriptor: iconv_t

  /// - Returns: nil when the system does not know one of the names.
  init?(from source: String, to target: String) {
    guard let descriptor = iconv_open(target, source), Int(bitPattern: descriptor) != -1 else { return nil }
    self.descriptor = descriptor
  }

  deinit {
    iconv_close(descriptor)
  }

  /// - Returns: how many bytes of the input were taken, how many of the output were filled, and why it stopped.
  func convert(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) -> (taken: Int, filled: Int, outcome: Outcome) {
    var source = UnsafeMutableRawPointer(mutating: input.baseAddress)?.assumingMemoryBound(to: CChar.self)
    var target = output.baseAddress?.assumingMemoryBound(to: CChar.self)
    var left = input.count
    var room = output.count
    let converted = iconv(descriptor, &source, &left, &target, &room)
    let code = errno
    let done = (taken: input.count - left, filled: output.count - room)
    guard converted == Int.max || converted == -1 else { return (done.taken, done.filled, .taken) }
    switch code {
    case E2BIG: return (done.taken, done.filled, .full)
    case EINVAL: return (done.taken, done.filled, .taken)
    default: return (done.taken, done.filled, .stuck)
    }
  }

  /// What has to be written at the end to come back to the first state of the encoding.
  func end(into output: UnsafeMutableRawBufferPointer) -> Int {
    var target = output.baseAddress?.assumingMemoryBound(to: CChar.self)
    var room = output.count
    _ = iconv(descriptor, nil, nil, &target, &room)
    return output.count - room
  }
}
