/// Whether a text is UTF-32, which nothing here reads: by its byte order mark, or by the zeros around its first character,
/// an ASCII one.
func isUTF32(_ bytes: [UInt8]) -> Bool {
  guard bytes.count >= 4, bytes.count % 4 == 0 else { return false }
  switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
  case (0xFF, 0xFE, 0, 0), (0, 0, 0xFE, 0xFF), (1...0x7F, 0, 0, 0), (0, 0, 0, 1...0x7F): return true
  default: return false
  }
}
