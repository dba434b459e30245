import CircleModel
import Diagnostics
import JSONText
import YAMLEvents

/// What a value that should be text turned out to be.
enum DecodedText {
  case text(Text)
  /// Null, or blank, which equals unset.
  case cleared
  /// Reported already.
  case invalid
}

extension ManifestDecoder {
  /// Whether the current event is a scalar that means nothing is there.
  var isNull: Bool {
    source.kind == .scalar && source.isPlain && source.withText { CoreScalar.isNull($0) }
  }

  /// Reads text and checks its rule.
  mutating func decodeText(_ key: StaticString, _ rule: TextRule) throws(YAMLFault) -> DecodedText {
    guard source.kind == .scalar else {
      reportWrongType("'\(key)'", "text")
      try source.skip()
      return .invalid
    }
    if isNull { return source.isBroken ? .invalid : .cleared }
    let (violation, text) = source.withText { bytes in
      let violation = rule.check(bytes)
      return (violation, violation == nil ? Text(bytes) : nil)
    }
    guard let text else {
      if let violation { reportInvalid(violation) }
      return .invalid
    }
    return Self.isBlank(text) ? .cleared : .text(text)
  }

  private static func isBlank(_ text: Text) -> Bool {
    // Visible ASCII at the beginning, as in nearly all texts, settles it.
    let first = text.string.utf8.first ?? 0
    return (first <= 0x20 || first >= 0x7F) && TextRule.unlessBlank(text) == nil
  }

  mutating func reportInvalid(_ violation: RuleViolation) {
    let (place, end) = (source.place, source.end)
    report(.invalidText, violation.reason(whose: ownerPhrase), at: place, end: end)
  }

  /// Reports a null where nothing can be cleared.
  mutating func reportNull(_ subject: String, isList: Bool = false) {
    if source.isBroken { return }
    let (place, end) = (source.place, source.end)
    report(
      .null, "\(subject)\(ownerPhrase) is empty" + (isList ? "; write [] for an empty list" : ""), at: place, end: end)
  }

  /// Reads one of a few words; nil for null, and for what was reported.
  mutating func decodeWord<Value>(
    _ key: StaticString, among words: [String], _ make: (String) -> Value?
  ) throws(YAMLFault) -> Value? {
    guard source.kind == .scalar else {
      reportWrongType("'\(key)'", "one of \(words.joined(separator: ", "))")
      try source.skip()
      return nil
    }
    if isNull { return nil }
    let word = source.withText { String(decoding: $0.prefix(200), as: UTF8.self) }
    if let value = make(word) { return value }
    let (place, end) = (source.place, source.end)
    report(
      .unknownWord,
      "'\(key)'\(ownerPhrase) is one of \(words.joined(separator: ", ")), not '\(excerpt(word))'"
        + suggestion(nearestName(to: word, among: words)), at: place, end: end)
    return nil
  }

  /// Reads `true` or `false`; nil for null, and for what was reported.
  mutating func decodeBoolean(_ key: StaticString) throws(YAMLFault) -> Bool? {
    if isNull { return nil }
    if source.kind == .scalar, source.isPlain, let value = source.withText({ CoreScalar.boolean($0) }) { return value }
    reportWrongType("'\(key)'", "true or false")
    try source.skip()
    return nil
  }

  /// Reads text, or a mapping or list that is kept as JSON text.
  mutating func decodeExt(_ key: StaticString, _ rule: TextRule) throws(YAMLFault) -> DecodedText {
    if source.kind == .scalar { return try decodeText(key, rule) }
    let place = source.place
    guard let value = try decodeJSON() else { return .invalid }
    let bytes = canonicalJSON(value)
    if let violation = bytes.withUnsafeBufferPointer({ rule.check($0) }) {
      report(.invalidText, "\(violation.reason(whose: ownerPhrase)) as JSON text", at: place)
      return .invalid
    }
    return .text(Text(String(decoding: bytes, as: UTF8.self)))
  }

  /// The node as a JSON value; nil when something in it is none, which was reported.
  private mutating func decodeJSON() throws(YAMLFault) -> JSONValue? {
    switch source.kind {
    case .sequenceStart:
      var elements: [JSONValue]? = []
      try source.advance()
      while source.kind != .sequenceEnd {
        if let element = try decodeJSON() { elements?.append(element) } else { elements = nil }
        try source.advance()
      }
      return elements.map { .array($0) }
    case .mappingStart:
      var members: [JSONValue.Member]? = []
      var seen: [Text: Place] = [:]
      try eachEntry { (decoder, isMerged) throws(YAMLFault) in
        let key = decoder.source.withText { Text($0) }
        let place = decoder.source.place
        if let first = seen[key] {
          if !isMerged { decoder.reportDuplicateKey(excerpt(key.string), first: first) }
          return try decoder.skipNext()
        }
        seen[key] = place
        try decoder.source.advance()
        if let value = try decoder.decodeJSON() {
          members?.append(JSONValue.Member(key.string, value))
        } else {
          members = nil
        }
      }
      return members.map { .object($0) }
    default:
      return decodeJSONScalar()
    }
  }

  private mutating func decodeJSONScalar() -> JSONValue? {
    guard source.isPlain else { return .string(source.withText { String(decoding: $0, as: UTF8.self) }) }
    if source.isBroken { return nil }
    let result = source.withText { text in
      Result { () throws(CoreScalar.Refusal) in try CoreScalar.json(text) }
    }
    let message: String
    switch result {
    case .success(let value): return value
    case .failure(.notFinite): message = "JSON has no number for this value\(ownerPhrase)"
    case .failure(.notExact):
      message = "a whole number\(ownerPhrase) is beyond 2^53, where JSON does not keep it exactly"
    }
    let (place, end) = (source.place, source.end)
    report(.ext, message, at: place, end: end, help: "put it in quotes to keep it as text")
    return nil
  }
}
