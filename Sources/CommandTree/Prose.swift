import Diagnostics

/// A longer text as authors write it: paragraphs parted by empty lines, and lines indented by two blanks, which are
/// kept as they are.
struct Prose {
  enum Block: Equatable {
    case paragraph(String)
    /// Lines without the two blanks.
    case verbatim([String])
  }

  private(set) var blocks: [Block] = []

  init(_ text: String) {
    var isOpen = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.allSatisfy({ $0 == " " }) {
        isOpen = false
      } else if line.hasPrefix("  ") {
        append(verbatim: String(line.dropFirst(2)))
        isOpen = false
      } else if isOpen, case .paragraph(let begun)? = blocks.last {
        blocks[blocks.count - 1] = .paragraph("\(begun) \(line)")
      } else {
        blocks.append(.paragraph(String(line)))
        isOpen = true
      }
    }
  }

  private mutating func append(verbatim line: String) {
    if case .verbatim(let begun)? = blocks.last {
      blocks[blocks.count - 1] = .verbatim(begun + [line])
    } else {
      blocks.append(.verbatim([line]))
    }
  }
}

/// The text in lines of at most `width` columns, broken at blanks, and within a word only when it alone is wider, as
/// text without blanks between words is.
func wrapped(_ text: String, to width: Int) -> [String] {
  var lines: [String] = []
  var line = ""
  var used = 0
  for word in text.split(separator: " ") {
    let wordWidth = displayWidth(word)
    if used > 0, used + 1 + wordWidth <= width {
      line += " \(word)"
      used += 1 + wordWidth
      continue
    }
    if used > 0 { lines.append(line) }
    (line, used) = (String(word), wordWidth)
    guard wordWidth > width else { continue }
    (line, used) = ("", 0)
    for character in word {
      let characterWidth = displayWidth(String(character))
      if used + characterWidth > width, used > 0 {
        lines.append(line)
        (line, used) = ("", 0)
      }
      line.append(character)
      used += characterWidth
    }
  }
  if !line.isEmpty { lines.append(line) }
  return lines
}
