/// What to tell a person of a problem that libyaml found.
struct FaultWording {
  /// Which of the two places that libyaml gives is the one to look at first.
  enum Focus {
    case problem
    /// Where the thing begins that the problem is with; where the problem showed says nothing more.
    case beginning
  }

  var reason = YAMLFault.Reason.syntax
  var message: String
  var focus = Focus.problem

  /// - Parameters:
  ///   - problem: libyaml's words for what it found.
  ///   - context: libyaml's words for what it was doing.
  ///   - character: the character at which it stopped, nil at the end of the text.
  init(problem: String, context: String, character: Unicode.Scalar?) {
    switch problem {
    case "found character that cannot start any token", "found a tab character that violates indentation",
      "found a tab character where an indentation space is expected":
      message = Self.misplaced(character)
      if character == "\t" { reason = .tab }
    case "found unexpected end of stream":
      message = "the quotation mark that begins this text has no closing one"
      focus = .beginning
    case "could not find expected ':'":
      message = "a “:” is missing after this key"
      focus = .beginning
    case "did not find expected ',' or ']'":
      message = "a “,” or the closing “]” is missing before this"
    case "did not find expected ',' or '}'":
      message = "a “,” or the closing “}” is missing before this"
    case "did not find expected node content":
      message = Self.missingValue(character)
    case "found unknown escape character":
      message = "in double quotes “\\” begins an escape, and this one is unknown; write “\\\\” for the character itself"
    default:
      message = Self.sentences[problem] ?? Self.sentence(context: context) ?? "\(problem) \(context)"
    }
  }

  /// What the place named by libyaml's context is, nil when it adds nothing.
  static func beginning(_ context: String) -> String? {
    switch context {
    case "while parsing a block mapping", "while parsing a flow mapping": "the mapping begins here"
    case "while parsing a block collection", "while parsing a flow sequence": "the list begins here"
    case "while scanning a block scalar", "while scanning a plain scalar", "while scanning a quoted scalar",
      "while parsing a quoted scalar":
      "the text begins here"
    default: nil
    }
  }

  private static func misplaced(_ character: Unicode.Scalar?) -> String {
    switch character {
    case "\t": "a tab can't be used for indentation; use spaces"
    case let character?: "“\(character)” can't begin a value; put the text in quotes"
    case nil: "the text ends where a value should begin"
    }
  }

  private static func missingValue(_ character: Unicode.Scalar?) -> String {
    switch character {
    case let character? where !character.properties.isWhitespace:
      "a value is missing before this, or “\(character)” can't begin one; put text that begins so in quotes"
    default: "a value is missing here"
    }
  }

  private static func sentence(context: String) -> String? {
    switch context {
    case "while scanning a tag", "while parsing a tag": "this tag is not well formed"
    case "while parsing a %TAG directive", "while parsing a tag directive", "while scanning a %TAG directive",
      "while scanning a tag directive":
      "a %TAG directive is a handle and a prefix, like “%TAG !e! tag:example.com,2000:”"
    case "while scanning a %YAML directive": "a %YAML directive is a version, like “%YAML 1.2”"
    case "while scanning a directive": "this directive is not well formed"
    case "while scanning an anchor": "an anchor is “&” and a name of ASCII letters, digits, “-” and “_”, then a space"
    case "while scanning an alias": "an alias is “*” and a name of ASCII letters, digits, “-” and “_”, then a space"
    case "while scanning a block scalar":
      "after “|” or “>” only an indentation from 1 to 9, “+” or “-”, and a comment can stand in the line"
    default: nil
    }
  }

  private static let sentences: [String: String] = [
    "block sequence entries are not allowed in this context":
      "a list can't begin here; put its “-” at the beginning of a line",
    "mapping keys are not allowed in this context": "a “?” key can't stand here; put it at the beginning of a line",
    "mapping values are not allowed in this context":
      "a “:” can't stand here; check the indentation, or put text that holds “: ” in quotes",
    "did not find expected key":
      "a key, or the end of the mapping, is expected here; check the indentation and the quotes before it",
    "did not find expected '-' indicator":
      "a “-”, or the end of the list, is expected here; check the indentation",
    "did not find expected <document start>":
      "the document ended before this; check the indentation, or begin another one with “---”",
    "found unexpected document indicator": "“---” and “...” can't stand at the beginning of a line within quotes",
    "found unexpected ':'": "within “[ ]” and “{ }” put text that holds “:” in quotes",
    "found undefined tag handle": "no %TAG directive defines the handle of this tag",
    "found incompatible YAML document": "the text is for another version of YAML; 1.1 and 1.2 are read",
    "found duplicate %YAML directive": "the document has a second %YAML directive",
    "found duplicate %TAG directive": "the document has a second %TAG directive for this handle",
    "found unknown directive name": "only the directives %YAML and %TAG are known",
    "did not find expected hexdecimal number": "a hexadecimal digit is missing in this escape",
    "found invalid Unicode character escape code": "this escape names no Unicode character",
  ]

  /// What to tell of bytes that libyaml can't take for text, by its words and the value that it names.
  init(unreadable problem: String, value: Int, encoding: TextEncoding) {
    switch problem {
    case "control characters are not allowed" where value == 0:
      reason = .character
      message = "a NUL character can't stand in YAML"
    case "control characters are not allowed":
      let digits = String(value, radix: 16, uppercase: true)
      let name = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      reason = .character
      message = "the character \(name) can't stand in YAML as it is; in double quotes it can be written as an escape"
    default:
      reason = .encoding
      message = "the text is not valid \(encoding == .utf8 ? "UTF-8" : "UTF-16") from here"
    }
  }
}
