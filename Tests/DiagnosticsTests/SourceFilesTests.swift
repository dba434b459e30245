import Glibc
import Testing

@testable import Diagnostics

@Suite struct SourceFilesTests {
  /// A new folder that is removed with the files that these tests make in it.
  private final class Folder {
    let path: String

    init() throws {
      var template = Array("/tmp/circlectl-tests-XXXXXX".utf8CString)
      _ = try #require(mkdtemp(&template))
      path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    func write(_ bytes: [UInt8], to name: String) throws -> String {
      let file = try #require(fopen("\(path)/\(name)", "w"))
      defer { fclose(file) }
      #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
      return "\(path)/\(name)"
    }

    deinit {
      for name in ["a", "long", "fifo"] { unlink("\(path)/\(name)") }
      rmdir(path)
    }
  }

  private static func utf16(_ text: String, bigEndian: Bool) -> [UInt8] {
    text.utf16.flatMap { unit in
      bigEndian ? [UInt8(unit >> 8), UInt8(unit & 0xFF)] : [UInt8(unit & 0xFF), UInt8(unit >> 8)]
    }
  }

  private static let sample = "eins\nzwei\r\n\rvier ü\u{20AC}\u{1F600}\u{A0D}\n"
  private static let lines = ["eins", "zwei", "", "vier ü\u{20AC}\u{1F600}\u{A0D}", "", nil]

  @Test(arguments: [
    Array(sample.utf8), [0xEF, 0xBB, 0xBF] + Array(sample.utf8),
    utf16(sample, bigEndian: true), utf16("\u{FEFF}" + sample, bigEndian: true),
    utf16(sample, bigEndian: false), utf16("\u{FEFF}" + sample, bigEndian: false),
  ])
  func `lines are found in every encoding, in memory and in a file`(bytes: [UInt8]) throws {
    let folder = try Folder()
    var files = SourceFiles()
    let kept = files.add(path: "-", bytes: bytes)
    let read = files.add(path: "a", realPath: try folder.write(bytes, to: "a"))
    for (number, line) in Self.lines.enumerated() {
      #expect(files.line(number + 1, of: kept) == line)
      #expect(files.line(number + 1, of: read) == line)
    }
    #expect(files.line(0, of: read) == nil)
    #expect(files.path(of: read) == "a")
  }

  @Test(arguments: ["\n", "\r", "\r\n"])
  func `lines of a long file are found, also over the pieces that are read`(ending: String) throws {
    let folder = try Folder()
    var text: [UInt8] = []
    for number in 1...60_000 { text += Array("line \(number)\(ending)".utf8) }
    var files = SourceFiles()
    let kept = files.add(path: "-", bytes: text)
    let read = files.add(path: try folder.write(text, to: "long"))
    for number in Array(stride(from: 1, through: 60_000, by: 997)) + [59_999, 60_000] {
      #expect(files.line(number, of: kept) == "line \(number)")
      #expect(files.line(number, of: read) == "line \(number)")
    }
    #expect(files.line(60_001, of: read) == "")
    #expect(files.line(60_002, of: read) == nil)
  }

  @Test func `invalid bytes become replacement characters`() {
    var files = SourceFiles()
    let file = files.add(path: "-", bytes: [0x61, 0xFF, 0x62, 0x0A, 0xE4, 0xBD])
    #expect(files.line(1, of: file) == "a\u{FFFD}b")
    #expect(files.line(2, of: file) == "\u{FFFD}")
    let odd = files.add(path: "-", bytes: [0xFF, 0xFE, 0x61, 0x00, 0x00, 0xD8, 0x62])
    #expect(files.line(1, of: odd) == "a\u{FFFD}\u{FFFD}")
  }

  @Test func `a file has one index, standard input a new one each time`() {
    var files = SourceFiles()
    let first = files.add(path: "a.yaml")
    #expect(files.add(path: "b.yaml") != first)
    #expect(files.add(path: "a.yaml") == first)
    #expect(files.add(path: "a.yaml", realPath: "/x/a.yaml") != first)
    #expect(files.add(path: "\u{E9}") != files.add(path: "e\u{301}"))
    #expect(files.add(path: "-", bytes: []) != files.add(path: "-", bytes: []))
    #expect(files.path(of: first) == "a.yaml")
    #expect(files.path(of: 99) == "?")
    #expect(files.line(1, of: 99) == nil)
  }

  @Test func `what is no regular file is not read and never waited for`() throws {
    let folder = try Folder()
    var files = SourceFiles()
    #expect(mkfifo("\(folder.path)/fifo", 0o600) == 0)
    for path in ["\(folder.path)/fifo", folder.path, "/dev/zero", "\(folder.path)/missing"] {
      #expect(files.line(1, of: files.add(path: path)) == nil)
    }
  }

  @Test func `only the head of an endless line is given`() {
    var files = SourceFiles()
    let file = files.add(path: "-", bytes: Array(repeating: 0x78, count: 3 << 20))
    #expect(files.line(1, of: file)?.utf8.count == 512 << 10)
  }
}
