import Diagnostics
import Testing

@testable import CircleTables

struct EncodingTests {
  static let text = "userId,昵称,签名\r\nalice,爱丽丝,\"春眠不觉晓，处处闻啼鸟\"\r\nbob,鮑勃,夜来风雨声，花落知多少\r\n"
  static let rows = ["alice nickName=爱丽丝 sign=春眠不觉晓，处处闻啼鸟", "bob nickName=鮑勃 sign=夜来风雨声，花落知多少"]

  @Test(
    arguments: [
      ("UTF-8", nil), ("GB18030", "GB18030"), ("UTF-16LE", "UTF-16LE"), ("UTF-16BE", "UTF-16BE"),
      ("UTF-16", "UTF-16LE"),
    ] as [(String, String?)])
  func `auto tells UTF-8, UTF-16 and GB18030 apart`(encoding: String, found: String?) throws {
    let read = try TableText(Self.text, encoding: encoding).users()
    #expect(read.rows == Self.rows)
    #expect(read.scan.encodings.map(\.encoding) == (found.map { [$0] } ?? []))
  }

  @Test(arguments: [
    ("big5", "BIG5", "alice,愛麗絲,春眠不覺曉"), ("Shift_JIS", "CP932", "alice,テスト~,日本語\\"),
    ("windows-1252", "CP1252", "alice,José “Zoë”,€"), ("koi8-r", "KOI8-R", "alice,Привет,мир"),
    ("gbk", "GBK", "alice,中文,镕"), ("utf-16", "UTF-16BE", "alice,中文,x"), ("euc-kr", "EUC-KR", "alice,한국어,x"),
  ])
  func `other encodings are named`(name: String, encoding: String, row: String) throws {
    var table = try TableText("userId,nickName,sign\n\(row)\n", encoding: encoding)
    if encoding == "UTF-16BE" { table.bytes = [0xFE, 0xFF] + table.bytes }
    table.options.scan.reader.encoding = TableEncoding(named: name)
    let cells = row.split(separator: ",")
    #expect(try table.users().rows == ["alice nickName=\(cells[1]) sign=\(cells[2])"])
  }

  @Test func `a byte that fits no encoding is named, never replaced`() throws {
    let good = Array(Self.text.utf8)
    let bad = try TableText(good + [0x64, 0x2C, 0xFF, 0x0A]).users()
    #expect(bad.faults == ["table.encoding 4:3"])
    #expect(bad.rows == Self.rows)
    #expect(bad.diagnostics[0].help?.contains("--encoding") == true)
    var gb = try TableText(Self.text, encoding: "GB18030")
    gb.bytes += Array("d,".utf8) + [0xFF, 0x0A]
    gb.options.scan.reader.encoding = TableEncoding(named: "gb18030")
    let stuck = try gb.users()
    #expect(stuck.faults == ["table.encoding 4:3"])
    #expect(stuck.rows == Self.rows)
    // The end of the file within a character.
    gb.bytes.removeLast(2)
    gb.bytes += [0xB0]
    #expect(try gb.users().faults == ["table.encoding 4:3"])
    // Latin letters without a name are neither of the three.
    #expect(try TableText(Array("userId,nick\na,Jos".utf8) + [0xE9, 0x0A]).users().faults == ["table.encoding 2:6"])
  }

  @Test func `a byte order mark settles the encoding, and a bad byte refuses its row alone`() throws {
    let bytes = Array("\u{FEFF}id,nick\na,x\nb,".utf8) + [0xFF, 0x0A] + Array("c,x\n".utf8)
    let read = try TableText(bytes).users()
    #expect(read.rows == ["a nickName=x", "c nickName=x"])
    #expect(read.faults == ["table.encoding 3:3"])
    #expect(read.diagnostics.first?.message == "the bytes from here on are no UTF-8")
  }

  @Test func `bytes that are neither UTF-8 nor GB18030 are named where they stand`() throws {
    let near = try TableText(Array("userId,nickName\na,周\nb,x".utf8) + [0xFF, 0x0A]).users()
    #expect(near.faults == ["table.encoding 3:4"])
    #expect(near.diagnostics[0].help?.contains("utf-16le") == true)
    #expect(near.rows == ["a nickName=周"])
    let yaml = Array("- userId: a\n  sign: 周\n- userId: x".utf8) + [0xFF, 0x0A]
    #expect(try TableText(yaml, name: "u.yaml").users().faults == ["table.encoding 3:12"])
    // UTF-16 that nothing gives away.
    let wide = try TableText(Array("userId\u{0}\n".utf8)).users()
    #expect(wide.diagnostics.first?.help?.contains("utf-16le") == true)
    var far = Array("userId,nickName\n".utf8)
    for number in 0..<90_000 { far += Array("u\(number),name \(number)\n".utf8) }
    #expect(far.count > 1 << 20)
    #expect(try TableText(far + Array("a,周\nb,x".utf8) + [0xFF, 0x0A]).users().faults == ["table.encoding 90003:4"])
    // GB18030 as far as the bad byte.
    var gb = try TableText(Self.text, encoding: "GB18030")
    gb.bytes += Array("d,".utf8) + [0xFF, 0x0A]
    #expect(try gb.users().faults == ["table.encoding 4:3"])
  }

  @Test(
    arguments: [
      ("GB18030", [0xFF]), ("BIG5", [0xFF]), ("CP932", [0xFF]), ("UTF-16LE", [0x00, 0xDC]), ("UTF-16BE", [0xDC, 0x00]),
      ("UTF-32LE", [0, 0, 0, 0x80]),
    ] as [(String, [UInt8])])
  func `after a bad byte reading goes on with the next row`(encoding: String, bad: [UInt8]) throws {
    var table = try TableText("userId,nickName\na,中文\nb,", encoding: encoding)
    table.bytes += bad
    table.bytes += try TableText("x\nc,中文\nd,中\n", encoding: encoding).bytes
    table.bytes += Array(bad.prefix(1))
    table.options.scan.reader.encoding = TableEncoding(named: encoding)
    table.options.keepsRefused = true
    let read = try table.users()
    #expect(read.rows == ["a nickName=中文", "c nickName=中文", "d nickName=中"])
    #expect(read.faults == ["table.encoding 3:3", "table.encoding 6:1"])
    #expect(read.diagnostics[0].message.contains("are no \(encoding)"))
    let digits = bad.map { "\\x" + hexadecimal($0) }.joined()
    #expect(TableText.refused(read.scan).contains("b,\(digits)x"))
  }

  @Test func `an unknown name of an encoding is a fault, and no way to drop characters`() throws {
    #expect(TableEncoding(named: "utf-8//IGNORE") == nil)
    #expect(TableEncoding(named: "") == nil)
    var table = TableText("userId\na\n")
    table.options.scan.reader.encoding = TableEncoding(named: "klingon")
    #expect(try table.users().faults == ["table.encoding 0:0"])
  }

  @Test func `the encoding is found where the first other character comes late, and in pieces`() throws {
    // A piece of the file is a mebibyte.
    let plain = String(repeating: "plain text ", count: 20)
    var text = "userId,nickName,sign\n"
    for number in 0..<6000 { text += "u\(number),name,\(plain)\n" }
    text += "z,中文,\n"
    for encoding in ["UTF-8", "GB18030"] {
      let read = try TableText(text, encoding: encoding).users()
      #expect(read.faults == [])
      #expect(read.rows.count == 6001)
      #expect(read.rows.last == "z nickName=中文")
    }
    let long = String(repeating: "春眠不觉晓，", count: 40)
    var wide = "userId,sign\n"
    for number in 0..<4000 { wide += "u\(number),\(number)\(long)\n" }
    for encoding in ["UTF-8", "GB18030", "UTF-16LE"] {
      let read = try TableText(wide, encoding: encoding).users()
      #expect(read.faults == [])
      #expect(read.rows.count == 4000)
    }
  }
}
