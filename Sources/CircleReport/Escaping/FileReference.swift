/// The path of a file as a URI reference, relative where the path is.
func fileReference(_ path: String) -> String {
  let isAbsolute = path.utf8.first == UInt8(ascii: "/")
  return (isAbsolute ? "file://" : "") + percentEncoded(path, keeping: "/")
}

/// The text with all bytes but letters, digits and `-._~` as `%XX`, and those to be kept.
func percentEncoded(_ text: String, keeping kept: String = "") -> String {
  let digits = Array("0123456789ABCDEF".unicodeScalars)
  var encoded = ""
  for byte in text.utf8 {
    let scalar = Unicode.Scalar(byte)
    let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || (0x30...0x39).contains(byte))
    if isPlain || "-._~".unicodeScalars.contains(scalar) || kept.unicodeScalars.contains(scalar) {
      encoded.unicodeScalars.append(scalar)
    } else {
      encoded += "%"
      encoded.unicodeScalars.append(digits[Int(byte >> 4)])
      encoded.unicodeScalars.append(digits[Int(byte & 15)])
    }
  }
  return encoded
}
