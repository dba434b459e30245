/// The bytes in Base64 with padding, RFC 4648.
func base64(_ bytes: [UInt8]) -> String {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".unicodeScalars)
  var text = ""
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[start..<min(start + 3, bytes.count)]
    var bits = group.reduce(0) { $0 << 8 | Int($1) }
    bits <<= 8 * (3 - group.count)
    for place in 0..<4 {
      if place <= group.count {
        text.unicodeScalars.append(alphabet[bits >> (18 - 6 * place) & 63])
      } else {
        text += "="
      }
    }
  }
  return text
}
