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
    #expect(try TableText(Array("userId,nick\na,Jos".utf8) + [0xE9, 0x0A]).users().faults == ["table.encoding 1:1"])
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
