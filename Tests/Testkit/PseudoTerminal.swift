import Glibc

/// A terminal with nobody in front of it, for programs that look whether they have one.
package final class PseudoTerminal {
  /// What programs open as their streams.
  package let path: String
  private let master: Int32

  /// - Parameter columns: how wide it is.
  package init(columns: Int, rows: Int = 24) throws {
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var isLocked: Int32 = 0
    var number: UInt32 = 0
    var size = winsize(
      ws_row: UInt16(clamping: rows), ws_col: UInt16(clamping: columns), ws_xpixel: 0, ws_ypixel: 0)
    guard master >= 0, ioctl(master, Self.setLock, &isLocked) == 0, ioctl(master, Self.getNumber, &number) == 0,
      ioctl(master, UInt(TIOCSWINSZ), &size) == 0
    else { throw TemporaryFolder.Failure(description: "no pseudo-terminal: \(String(cString: strerror(errno)))") }
    path = "/dev/pts/\(number)"
  }

  /// `TIOCSPTLCK` and `TIOCGPTN`; the macros are not seen here.
  private static let setLock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430

  deinit { close(master) }

  /// Types something.
  package func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(master, bytes, bytes.count)
  }

  /// All that programs write to it until none has it open any more; CR LF is LF again, as they wrote it.
  package func readToEnd() -> String {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    // The end of a terminal is an error, EIO.
    while case let count = read(master, &piece, piece.count), count > 0 || (count < 0 && errno == EINTR) {
      bytes += piece[..<max(count, 0)]
    }
    var text: [UInt8] = []
    for (index, byte) in bytes.enumerated()
    where byte != 0x0D || index + 1 == bytes.count || bytes[index + 1] != 0x0A {
      text.append(byte)
    }
    return String(decoding: text, as: UTF8.self)
  }
}
