import YAMLEvents

/// A YAML text as a tree of nodes with their lines: what its layout is made of, whatever it means.
struct LayoutTree {
  struct Node {
    enum Kind { case scalar, alias, sequence, mapping }

    var kind: Kind
    var line: Int
    var column: Int
    /// The last line on which something of it stands.
    var lastLine: Int
    var isFlow = false
    /// Of a mapping key, value, key, value….
    var children: [Int] = []
    /// A scalar's text, an alias's name.
    var text = ""
    var style: YAMLEventReader.ScalarStyle?
    var anchor: String?
    var tag: String?
    /// Of an alias: the node that it stands for, -1 where there is none.
    var target = -1
  }

  private(set) var nodes: [Node] = []
  /// The root of each document.
  private(set) var roots: [Int] = []
  /// Scalars that take several lines: from the first to the last of them.
  private(set) var longScalars: [(first: Int, last: Int, isBlock: Bool)] = []

  private let lines: TextLines
  private var anchors: [String: Int] = [:]

  /// - Parameter bytes: in UTF-8 without a byte order mark.
  init(_ bytes: [UInt8], _ lines: TextLines) throws(YAMLFault) {
    self.lines = lines
    var reader = YAMLEventReader(bytes: bytes)
    while try reader.next() != .streamEnd {
      switch reader.kind {
      case .documentStart: anchors = [:]
      case .scalar, .alias, .sequenceStart, .mappingStart: roots.append(try node(&reader))
      default: break
      }
    }
  }

  /// Reads the node that begins with the reader's event.
  private mutating func node(_ reader: inout YAMLEventReader) throws(YAMLFault) -> Int {
    let (line, column) = reader.start
    var node = Node(kind: .scalar, line: line, column: column, lastLine: line)
    node.anchor = reader.kind == .alias ? nil : reader.anchor
    node.tag = reader.tag
    switch reader.kind {
    case .alias:
      node.kind = .alias
      node.text = reader.anchor ?? ""
      node.target = anchors[node.text] ?? -1
    case .scalar:
      node.text = reader.scalar
      node.style = reader.style
      node.lastLine = lastLine(of: reader, from: line)
    default:
      let isMapping = reader.kind == .mappingStart
      node.kind = isMapping ? .mapping : .sequence
      node.isFlow = reader.isFlow
      let index = nodes.count
      nodes.append(node)
      if let anchor = node.anchor { anchors[anchor] = index }
      while true {
        let next = try reader.next()
        if next == .sequenceEnd || next == .mappingEnd { break }
        let child = try self.node(&reader)
        nodes[index].children.append(child)
        nodes[index].lastLine = max(nodes[index].lastLine, nodes[child].lastLine)
      }
      if node.isFlow { nodes[index].lastLine = max(nodes[index].lastLine, reader.endLine) }
      return index
    }
    nodes.append(node)
    if let anchor = node.anchor { anchors[anchor] = nodes.count - 1 }
    return nodes.count - 1
  }

  private mutating func lastLine(of reader: borrowing YAMLEventReader, from line: Int) -> Int {
    let (endLine, endColumn) = reader.end
    guard reader.style == .literal || reader.style == .folded else {
      if endLine > line { longScalars.append((line, endLine, false)) }
      return endLine
    }
    var last = endColumn == 1 ? endLine - 1 : endLine
    last = min(last, lines.count)
    // Blank lines at the end belong to the text only where `+` keeps them.
    if !lines.keepsBlankLines(line) {
      while last > line, lines.isBlank(last) { last -= 1 }
    }
    if last > line { longScalars.append((line, last, true)) }
    return max(last, line)
  }
}

extension LayoutTree {
  /// Whether both say the same: the keys of a mapping may stand in another order, all else may not differ.
  func means(sameAs other: LayoutTree) -> Bool {
    guard roots.count == other.roots.count else { return false }
    var partners = [Int](repeating: -1, count: nodes.count)
    var pairs = Array(zip(roots, other.roots))
    var aliases: [(Int, Int)] = []
    while let (left, right) = pairs.popLast() {
      partners[left] = right
      let (a, b) = (nodes[left], other.nodes[right])
      guard a.kind == b.kind, a.isFlow == b.isFlow, a.style == b.style, a.children.count == b.children.count,
        Self.areSame(a.text, b.text), Self.areSame(a.anchor, b.anchor), Self.areSame(a.tag, b.tag)
      else { return false }
      if a.kind == .alias { aliases.append((a.target, b.target)) }
      guard a.kind == .mapping else {
        pairs.append(contentsOf: zip(a.children, b.children))
        continue
      }
      guard let matched = match(a.children, b.children, of: other) else { return false }
      pairs.append(contentsOf: matched)
    }
    return aliases.allSatisfy { $0.0 < 0 ? $0.1 < 0 : partners[$0.0] == $0.1 }
  }

  /// The keys and values of two mappings in pairs, by the texts of the keys.
  private func match(_ left: [Int], _ right: [Int], of other: LayoutTree) -> [(Int, Int)]? {
    var byKey: [[UInt8]: [Int]] = [:]
    for position in stride(from: right.count - 2, through: 0, by: -2) {
      byKey[Array(other.nodes[right[position]].text.utf8), default: []].append(position)
    }
    var pairs: [(Int, Int)] = []
    for position in stride(from: 0, to: left.count - 1, by: 2) {
      guard let found = byKey[Array(nodes[left[position]].text.utf8)]?.popLast() else { return nil }
      pairs.append((left[position], right[found]))
      pairs.append((left[position + 1], right[found + 1]))
    }
    return pairs
  }

  private static func areSame(_ left: String?, _ right: String?) -> Bool {
    switch (left, right) {
    case (nil, nil): true
    case (let left?, let right?): left.utf8.elementsEqual(right.utf8)
    default: false
    }
  }
}
