import CircleReport

/// What a command line says about output, as far as it shows before it is understood: it may be the word that is wrong.
struct EarlyOptions {
  /// `--color`.
  private(set) var color = ColorChoice.auto
  /// `--output`; nil where it is not given, or as nothing that is known.
  private(set) var output: OutputFormat?

  init(_ words: [String]) {
    let words = words.prefix { $0 != "--" }
    for (word, next) in zip(words, words.dropFirst() + [""]) {
      if let value = Self.value(of: "--color", in: word, next) { color = ColorChoice(rawValue: value) ?? color }
      if let value = Self.value(of: "--output", in: word, next) ?? Self.shortOutput(in: word, next) {
        output = OutputFormat(rawValue: value) ?? output
      }
    }
  }

  private static func value(of option: String, in word: String, _ next: String) -> String? {
    if word == option { return next }
    return word.utf8.starts(with: "\(option)=".utf8) ? String(word.dropFirst(option.count + 1)) : nil
  }

  /// Of a word such as `-o`, `-ojson`, `-o=json` or `-qo`.
  private static func shortOutput(in word: String, _ next: String) -> String? {
    guard word.utf8.first == UInt8(ascii: "-"), !word.utf8.starts(with: "--".utf8) else { return nil }
    let letters = word.dropFirst()
    guard let position = letters.firstIndex(of: "o"), letters[..<position].allSatisfy({ "qvhy".contains($0) }) else {
      return nil
    }
    let value = letters[letters.index(after: position)...]
    if value.isEmpty { return next }
    return String(value.first == "=" ? value.dropFirst() : value)
  }
}
