/// The words of a simple shell command line, as examples have them: quotes and backslashes undone, up to the first
/// unquoted `|`, `<`, `>`, `&`, `;` or `#`; nil when a quote is left open. Expansions are not done.
func shellWords(_ line: String) -> [String]? {
  var words: [String] = []
  var word: String?
  var quote: Character?
  var isEscaped = false
  for character in line {
    if isEscaped {
      word = (word ?? "") + String(character)
      isEscaped = false
    } else if character == "\\", quote != "'" {
      isEscaped = true
    } else if let open = quote {
      if character == open { quote = nil } else { word?.append(character) }
    } else if character == "'" || character == "\"" {
      quote = character
      word = word ?? ""
    } else if character == " " || "|<>&;".contains(character) || (character == "#" && word == nil) {
      if let finished = word { words.append(finished) }
      word = nil
      if character != " " { return words }
    } else {
      word = (word ?? "") + String(character)
    }
  }
  if let word { words.append(word) }
  return quote == nil && !isEscaped ? words : nil
}
