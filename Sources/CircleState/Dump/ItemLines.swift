import Digest
import JSONText

/// The lines of a dump or an archive as they are read: one for the whole, then one for each row or name, then one that
/// ends it, each checked.
struct ItemLines {
  /// The number of the current line, from 1.
  private(set) var line = 0
  /// What the lines are, `dump` or `archive`, and what of.
  private let word: String
  private let subject: String
  private let version: Int
  /// Of the rows of the lines.
  private var format = StateFormat.newest
  /// What was read.
  private var content = StateContent()
  /// What was handed over, where the lines are of an older format.
  private var converted: StateContent?
  private var hasBegun = false
  private var isEnded = false

  /// A block of the log may be long; nothing that is written is longer.
  private static let longestLine = 256 << 20

  /// - Parameter version: of the lines' form, which has to be this one.
  init(_ word: String, of subject: String, version: Int) {
    self.word = word
    self.subject = subject
    self.version = version
  }

  /// What was handed over so far.
  var handed: StateContent { converted ?? content }

  /// Reads to the end.
  ///
  /// - Parameters:
  ///   - read: gives the next bytes; none at the end.
  ///   - begin: checks what the first line says of the whole.
  ///   - put: takes each row, as the newest format has it, and each name; the bytes are valid during the call.
  mutating func read(
    _ read: () throws(StateError) -> [UInt8],
    begin: (JSONNode, ItemLines) throws(RestoreError) -> Void,
    put: (StateItem, ItemLines) throws(RestoreError) -> Void
  ) throws(RestoreError) {
    var reader = JSONLineReader(longestLine: Self.longestLine)
    while true {
      let step: JSONLineReader.Step
      do throws(JSONFault) {
        step = try reader.next()
      } catch {
        throw .dump(DumpFault(line: error.line, sentence: error.sentence))
      }
      switch step {
      case .needsBytes:
        let bytes: [UInt8]
        do throws(StateError) { bytes = try read() } catch { throw .state(error) }
        if bytes.isEmpty { reader.finish() } else { bytes.withUnsafeBytes { reader.feed($0) } }
      case .value:
        line = reader.line
        guard let value = reader.value else { throw fault("it can't be read") }
        try take(value, begin, put)
      case .end:
        guard isEnded else {
          throw .dump(DumpFault(line: line + 1, sentence: "the \(word) ends here, before its last line"))
        }
        return
      }
    }
  }

  private mutating func take(
    _ value: JSONNode, _ begin: (JSONNode, ItemLines) throws(RestoreError) -> Void,
    _ put: (StateItem, ItemLines) throws(RestoreError) -> Void
  ) throws(RestoreError) {
    guard !isEnded else { throw fault("more follows after the end of the \(word)") }
    guard hasBegun else {
      try checkForm(value)
      try begin(value, self)
      hasBegun = true
      return
    }
    if value["end"] != nil {
      guard value["lines"]?.integer == content.count + 2, value["digest"]?.string == content.digest.hex else {
        throw fault("lines are missing before the end")
      }
      isEnded = true
    } else if value["table"] != nil {
      try takeRow(value, put)
    } else {
      guard value["names"] != nil else { throw fault("this is no line of \(word == "archive" ? "an" : "a") \(word)") }
      try takeName(value, put)
    }
  }

  private mutating func checkForm(_ first: JSONNode) throws(RestoreError) {
    guard let version = first["circlectl" + word.prefix(1).uppercased() + word.dropFirst()]?.integer else {
      throw fault("this is no \(word) of a circlectl \(subject)")
    }
    guard version == self.version, let format = first["format"]?.integer, 1...StateFormat.newest ~= format else {
      throw fault("the \(word) was made by another version of circlectl, and this one does not know its form")
    }
    self.format = format
    if format < StateFormat.newest { converted = StateContent() }
  }

  private mutating func takeRow(
    _ value: JSONNode, _ put: (StateItem, ItemLines) throws(RestoreError) -> Void
  ) throws(RestoreError) {
    let name = value["table"]?.string
    guard let table = StateTable.allCases.first(where: { DumpForm.name(of: $0) == name }) else {
      throw fault("there is no table of that name")
    }
    var parts: [UInt32] = []
    value["key"]?.forEachElement { parts.append($0.integer.flatMap { UInt32(exactly: $0) } ?? .max) }
    let padded = parts + [0, 0, 0]
    let key = RowKey(padded[0], padded[1], padded[2])
    guard parts.count == table.arity, table.admits(key) else { throw fault("no row can have this key") }
    let decoded = value["value"]?.withText { Base64.decode($0) }
    guard let bytes = decoded ?? nil else { throw fault("the value is no base64") }
    try bytes.withRaw { (bytes) throws(RestoreError) in try take(.row(table, key, bytes), value, put) }
  }

  private mutating func takeName(
    _ value: JSONNode, _ put: (StateItem, ItemLines) throws(RestoreError) -> Void
  ) throws(RestoreError) {
    let name = value["names"]?.string
    guard let table = NameTable.allCases.first(where: { DumpForm.name(of: $0) == name }) else {
      throw fault("there is no directory of that name")
    }
    guard let text = value["name"]?.string, let number = value["number"]?.integer.flatMap({ UInt32(exactly: $0) })
    else { throw fault("the name or its number is missing") }
    try Array(text.utf8).withRaw { (bytes) throws(RestoreError) in
      try take(.name(table, bytes, number), value, put)
    }
  }

  private mutating func take(
    _ item: StateItem, _ value: JSONNode, _ put: (StateItem, ItemLines) throws(RestoreError) -> Void
  ) throws(RestoreError) {
    content.add(item)
    guard value["check"]?.string == DumpForm.check(content) else {
      throw fault("the line was changed, or one before it is missing or was added")
    }
    guard converted != nil, case .row(let table, let key, let row) = item else {
      converted?.add(item)
      return try put(item, self)
    }
    try StateFormat.withNewest(table, row, from: format) { (row) throws(RestoreError) in
      converted?.add(.row(table, key, row))
      try put(.row(table, key, row), self)
    }
  }

  func fault(_ sentence: String) -> RestoreError {
    .dump(DumpFault(line: line, sentence: sentence))
  }
}
