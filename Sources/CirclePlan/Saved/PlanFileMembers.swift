import CircleModel
import Diagnostics
import Digest
import JSONText

/// The members of one object of a plan file, asked for by name; what nobody asked for is a fault in the end.
struct PlanFileMembers {
  private let node: JSONNode
  let place: Place
  private let what: String
  private var asked = 0

  /// - Parameter what: what the object is, for faults, such as "an operation".
  init(_ node: JSONNode, at place: Place, _ what: String) throws(PlanFileError) {
    guard node.kind == .object else { throw PlanFileFault.content.error("\(what) is no object", at: place) }
    self.node = node
    self.place = place
    self.what = what
  }

  /// The member, where there is one.
  mutating func find(_ key: String) -> JSONNode? {
    let found = node[key]
    if found != nil { asked += 1 }
    return found
  }

  func has(_ key: String) -> Bool { node[key] != nil }

  func fault(_ message: String) -> PlanFileError { PlanFileFault.content.error(message, at: place) }

  private func missing(_ key: String) -> PlanFileError { fault("\(what) has no '\(key)'") }
  private func wrong(_ key: String, _ wanted: String) -> PlanFileError { fault("'\(key)' of \(what) is no \(wanted)") }

  /// To be called when all has been asked for.
  func finish() throws(PlanFileError) {
    guard asked == node.count else { throw fault("\(what) has a key that no plan has, or that does not belong to it") }
  }

  // MARK: Values

  mutating func textIfAny(_ key: String) throws(PlanFileError) -> Text? {
    guard let found = find(key) else { return nil }
    guard let text = found.string else { throw wrong(key, "text") }
    return Text(text)
  }

  mutating func text(_ key: String) throws(PlanFileError) -> Text {
    guard let text = try textIfAny(key) else { throw missing(key) }
    return text
  }

  mutating func handle(_ key: String) throws(PlanFileError) -> Text {
    let handle = try text(key)
    guard TextRule.handle.check(handle) == nil else { throw wrong(key, "handle") }
    return handle
  }

  mutating func flag(_ key: String) throws(PlanFileError) -> Bool {
    try flagIfAny(key) ?? false
  }

  mutating func flagIfAny(_ key: String) throws(PlanFileError) -> Bool? {
    guard let found = find(key) else { return nil }
    guard let flag = found.boolean else { throw wrong(key, "truth value") }
    return flag
  }

  /// A number from 0 to 2^31 - 1.
  mutating func number(_ key: String) throws(PlanFileError) -> Int {
    guard let found = find(key) else { throw missing(key) }
    guard let number = found.integer, 0...Int(Int32.max) ~= number else { throw wrong(key, "number that a plan has") }
    return number
  }

  mutating func textsIfAny(_ key: String) throws(PlanFileError) -> [Text] {
    guard let found = find(key) else { return [] }
    guard let texts = Self.texts(found) else { throw wrong(key, "list of texts") }
    return texts
  }

  mutating func texts(_ key: String) throws(PlanFileError) -> [Text] {
    guard node[key] != nil else { throw missing(key) }
    return try textsIfAny(key)
  }

  static func texts(_ node: JSONNode) -> [Text]? {
    guard node.kind == .array else { return nil }
    var texts: [Text] = []
    var isRight = true
    node.forEachElement { element in
      if let text = element.string { texts.append(Text(text)) } else { isRight = false }
    }
    return isRight ? texts : nil
  }

  /// A word out of a closed list.
  mutating func word<Value>(_ key: String, _ value: (String) -> Value?) throws(PlanFileError) -> Value {
    guard let word = value(try text(key).string) else { throw wrong(key, "word that a plan has") }
    return word
  }

  mutating func wordIfAny<Value>(_ key: String, _ value: (String) -> Value?) throws(PlanFileError) -> Value? {
    node[key] == nil ? nil : try word(key, value)
  }

  /// A set of words out of a closed list; empty where the member is left out.
  mutating func words<Value: OptionSet>(
    _ key: String, _ value: (String) -> Value?
  ) throws(PlanFileError) -> Value where Value.Element == Value {
    var set: Value = []
    for text in try textsIfAny(key) {
      guard let word = value(text.string) else { throw wrong(key, "list of words that a plan has") }
      set.insert(word)
    }
    return set
  }

  mutating func digestIfAny(_ key: String) throws(PlanFileError) -> SHA256.Digest? {
    guard let text = try textIfAny(key) else { return nil }
    guard let digest = SHA256.Digest(hex: text.string) else { throw wrong(key, "digest") }
    return digest
  }

  /// The place of a manifest: file, line and column; `.none` where it is left out.
  mutating func at(files: Int) throws(PlanFileError) -> Place {
    guard let found = find("at") else { return .none }
    var numbers: [Int] = []
    if found.kind == .array, found.count == 3 {
      found.forEachElement { numbers.append($0.integer ?? -1) }
    }
    guard numbers.count == 3, 0..<files ~= numbers[0], 0...0xFFF_FFFF ~= numbers[1], 0...0xFFFF ~= numbers[2] else {
      throw wrong("at", "place in one of the plan's files")
    }
    return Place(file: FileIndex(numbers[0]), line: numbers[1], column: numbers[2])
  }

  /// The elements of a list of objects.
  mutating func objects(
    _ key: String, _ what: String, _ body: (inout PlanFileMembers) throws(PlanFileError) -> Void
  ) throws(PlanFileError) {
    guard let found = find(key) else { throw missing(key) }
    guard found.kind == .array else { throw wrong(key, "list") }
    let place = place
    try found.forEachElement { (element) throws(PlanFileError) in
      var members = try PlanFileMembers(element, at: place, what)
      try body(&members)
      try members.finish()
    }
  }

  /// A single object.
  mutating func object<Value>(
    _ key: String, _ what: String, _ body: (inout PlanFileMembers) throws(PlanFileError) -> Value
  ) throws(PlanFileError) -> Value {
    guard let found = find(key) else { throw missing(key) }
    var members = try PlanFileMembers(found, at: place, what)
    let value = try body(&members)
    try members.finish()
    return value
  }
}
