/// The pattern of a text, matched by hand over its bytes: a regular expression costs more than reading the manifest.
enum TextShape: Sendable {
  case free, userID, handle, serverID, serverType, gender, url, email, date, mobile

  /// Completes "the … is not".
  var sentence: StaticString {
    switch self {
    case .free: "free text"
    case .userID: "made of A-Z a-z 0-9 _ @ . - only, with no @ at its beginning"
    case .handle: "made of a-z 0-9 and - only, with no - at its beginning"
    case .serverID: "22 characters of 0-9 A-Z a-z"
    case .serverType: "public or private"
    case .gender: "unknown, male or female"
    case .url: "a URL that begins with http:// or https:// and has no blanks"
    case .email: "an address like name@example.org"
    case .date: "a real date like 2001-02-28"
    case .mobile: "digits, with a country code like +86- before them or none"
    }
  }

  /// The same as a regular expression, not to match with but to tell others.
  func pattern(_ limit: Int) -> String? {
    switch self {
    case .free: nil
    case .userID: "^[A-Za-z0-9_.-][A-Za-z0-9_@.-]{0,\(limit - 1)}$"
    case .handle: "^[a-z0-9][a-z0-9-]{0,\(limit - 1)}$"
    case .serverID: "^[0-9A-Za-z]{22}$"
    case .serverType: "^(public|private)$"
    case .gender: "^(unknown|male|female)$"
    case .url: "^https?://[^\\s/]+\\S*$"
    case .email: "^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$"
    case .date: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
    case .mobile: "^(\\+[0-9]{1,4}-)?[0-9]+$"
    }
  }

  func matches(_ bytes: UnsafeBufferPointer<UInt8>, _ facts: TextFacts) -> Bool {
    switch self {
    case .free: true
    case .userID: bytes.first != UInt8(ascii: "@") && bytes.allSatisfy(Self.isUserIDByte)
    case .handle: bytes.first != UInt8(ascii: "-") && bytes.allSatisfy(Self.isHandleByte)
    case .serverID: bytes.count == 22 && bytes.allSatisfy(Self.isAlphanumeric)
    case .serverType: Self.equals(bytes, "public") || Self.equals(bytes, "private")
    case .gender: ["unknown", "male", "female"].contains { Self.equals(bytes, $0) }
    case .url: !facts.hasWhitespace && Self.isURL(bytes)
    case .email: !facts.hasWhitespace && Self.isEmail(bytes)
    case .date: Self.isDate(bytes)
    case .mobile: Self.isMobile(bytes)
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 48 < 10 }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool { isDigit(byte) || (byte | 0x20) &- 97 < 26 }

  private static func isUserIDByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "_"), UInt8(ascii: "@"), UInt8(ascii: "."), UInt8(ascii: "-"): true
    default: isAlphanumeric(byte)
    }
  }

  private static func isHandleByte(_ byte: UInt8) -> Bool {
    byte &- 97 < 26 || isDigit(byte) || byte == UInt8(ascii: "-")
  }

  private static func equals(_ bytes: UnsafeBufferPointer<UInt8>, _ word: StaticString) -> Bool {
    bytes.elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
  }

  private static func begins(_ bytes: UnsafeBufferPointer<UInt8>, _ word: StaticString) -> Bool {
    bytes.starts(with: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
  }

  /// `^https?://[^\s/]+\S*$`, white space already refused.
  private static func isURL(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let scheme = begins(bytes, "https://") ? 8 : begins(bytes, "http://") ? 7 : 0
    return scheme > 0 && bytes.count > scheme && bytes[scheme] != UInt8(ascii: "/")
  }

  /// `^[^\s@]+@[^\s@]+\.[^\s@]+$`, white space already refused.
  private static func isEmail(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let at = bytes.firstIndex(of: UInt8(ascii: "@")), at > 0 else { return false }
    let domain = UnsafeBufferPointer(rebasing: bytes[(at + 1)...])
    guard domain.count >= 3, !domain.contains(UInt8(ascii: "@")) else { return false }
    return domain[1..<domain.count - 1].contains(UInt8(ascii: "."))
  }

  private static func isDate(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10])
    else { return false }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let days: Int
    switch month {
    case 1, 3, 5, 7, 8, 10, 12: days = 31
    case 4, 6, 9, 11: days = 30
    case 2: days = isLeap ? 29 : 28
    default: return false
    }
    return year >= 1 && day >= 1 && day <= days
  }

  private static func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
    var number = 0
    for digit in digits {
      guard isDigit(digit) else { return nil }
      number = number * 10 + Int(digit - 48)
    }
    return number
  }

  /// `^(\+\d{1,4}-)?\d+$`
  private static func isMobile(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var number = bytes[...]
    if bytes.first == UInt8(ascii: "+") {
      guard let dash = bytes.firstIndex(of: UInt8(ascii: "-")), (2...5).contains(dash),
        bytes[1..<dash].allSatisfy(isDigit)
      else { return false }
      number = bytes[(dash + 1)...]
    }
    return !number.isEmpty && number.allSatisfy(isDigit)
  }
}
