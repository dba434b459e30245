import Diagnostics
import Glibc

extension CommandRun {
  /// Whether a person can be asked.
  var canAsk: Bool { context.isTerminal(context.input) && context.isTerminal(context.errors) }

  /// Asks a person; only `y` or `yes` agrees. The end of the input, a bare return and all else says no.
  func agrees(to question: String) throws(Failure) -> Bool {
    console.say("\(terminalSafe(question)) [y/N] ")
    let answer = try stopwatch.whileAsking { () throws(Failure) in try readLine() }.lowercased()
    return answer == "y" || answer == "yes"
  }

  /// One line without its end and without blanks around it.
  private func readLine() throws(Failure) -> String {
    var bytes: [UInt8] = []
    while bytes.count < 1024 {
      var byte: UInt8 = 0
      let count = read(context.input, &byte, 1)
      if count < 0 && errno == EINTR {
        if interruption.arrived() != 0 { console.say("\n") }
        try checkInterrupted()
        continue
      }
      guard count > 0 else {
        console.say("\n")
        break
      }
      if byte == UInt8(ascii: "\n") { break }
      bytes.append(byte)
    }
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D }
    let start = bytes.firstIndex { !isBlank($0) } ?? bytes.endIndex
    let end = bytes.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? start
    return String(decoding: bytes[start..<max(start, end)], as: UTF8.self)
  }
}
