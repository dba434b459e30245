import CircleModel
import Testing

struct IDSourceTests {
  @Test func `ids are 22 characters of the digest of seed, next seq and ordinal`() {
    var ids = IDSource(seed: Array("seed".utf8), nextSeq: 1)
    #expect(ids.next() == "QRcgOwWALPBouY8btiL0Rx")
    #expect(ids.next() == "YkvNAoPHFx07lK4ubBGZXB")
    ids = IDSource(seed: Array("seed".utf8), nextSeq: 258)
    #expect(ids.next() == "fUnyRPt5UugZpj1Dst2T3v")
  }

  @Test func `ids that are made ahead are the same`() {
    var ids = IDSource(seed: Array("seed".utf8), nextSeq: 7)
    var ahead = ids.ahead(3)
    for _ in 0..<5 { #expect(ahead.next() == ids.next()) }
  }
}
