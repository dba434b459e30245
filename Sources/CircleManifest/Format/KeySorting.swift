import YAMLEvents

/// Where the lines of a text go when the keys of its mappings are put in order.
///
/// A key moves with its value, the comments right above it and those that are indented deeper below it; blank lines stay
/// between the same places.
struct KeySorting {
  private let tree: LayoutTree
  private let lines: TextLines
  private var mappings: [Sorted] = []

  /// A mapping whose keys are to change places.
  private struct Sorted {
    var first: Int
    var last: Int
    /// Lines of each entry in written order.
    var entries: [ClosedRange<Int>]
    /// Blank lines before each place but the first.
    var gaps: [Range<Int>]
    /// Which entry comes to each place.
    var order: [Int]
  }

  init(_ tree: LayoutTree, _ lines: TextLines) {
    self.tree = tree
    self.lines = lines
    for root in tree.roots { visit(root, .top) }
    mappings.sort { ($0.first, -$0.last) < ($1.first, -$1.last) }
  }

  var changesSomething: Bool { !mappings.isEmpty }

  /// All lines, in their new order.
  func order() -> [Int] {
    var order: [Int] = []
    order.reserveCapacity(lines.count)
    var next = 0
    emit(1, lines.count, &next, &order)
    return order
  }

  // MARK: Finding

  private mutating func visit(_ index: Int, _ place: KeyOrder.Place) {
    let node = tree.nodes[index]
    guard node.kind == .mapping else { return }
    if !node.isFlow, let sorted = sorted(node, place) { mappings.append(sorted) }
    for position in stride(from: 0, to: node.children.count - 1, by: 2) {
      let inside = place.inside(tree.nodes[node.children[position]].text)
      if inside != .other { visit(node.children[position + 1], inside) }
    }
  }

  /// nil for a mapping that is in order, or has something that must not be moved.
  private func sorted(_ node: LayoutTree.Node, _ place: KeyOrder.Place) -> Sorted? {
    let keys = stride(from: 0, to: node.children.count - 1, by: 2).map { node.children[$0] }
    var ranks: [Int] = []
    for key in keys {
      guard tree.nodes[key].kind == .scalar, let rank = KeyOrder.rank(of: tree.nodes[key].text, in: place) else {
        return nil
      }
      ranks.append(rank)
    }
    let order = keys.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }
    guard order != Array(keys.indices), areMovable(keys), keepsAnchors(node, order) else { return nil }
    return entries(of: node, keys, order, isTop: place == .top)
  }

  /// Whether each key has a line of its own, and none stands twice.
  private func areMovable(_ keys: [Int]) -> Bool {
    var seen: Set<[UInt8]> = []
    guard let column = keys.first.map({ tree.nodes[$0].column }) else { return false }
    return keys.allSatisfy { key in
      let node = tree.nodes[key]
      return seen.insert(Array(node.text.utf8)).inserted && node.column == column && node.lastLine == node.line
        && lines.begins(node.line, at: column) && !lines.text(node.line).dropFirst(column - 1).starts(with: "?".utf8)
    }
  }

  /// Whether each alias still comes after the anchor that it means.
  private func keepsAnchors(_ node: LayoutTree.Node, _ order: [Int]) -> Bool {
    var anchors: [String: [Int]] = [:]
    var uses: [String: [Int]] = [:]
    for entry in order.indices {
      var open = [node.children[entry * 2], node.children[entry * 2 + 1]]
      while let index = open.popLast() {
        let inner = tree.nodes[index]
        if let anchor = inner.anchor { anchors[anchor, default: []].append(entry) }
        if inner.kind == .alias { uses[inner.text, default: []].append(entry) }
        open.append(contentsOf: inner.children)
      }
    }
    guard !anchors.isEmpty else { return true }
    var positions = [Int](repeating: 0, count: order.count)
    for (position, entry) in order.enumerated() { positions[entry] = position }
    for (name, defined) in anchors {
      for entry in defined {
        let others = defined + (uses[name] ?? [])
        let isKept = others.allSatisfy { ($0 < entry) == (positions[$0] < positions[entry]) }
        if !isKept { return false }
      }
    }
    return true
  }

  private func entries(of node: LayoutTree.Node, _ keys: [Int], _ order: [Int], isTop: Bool) -> Sorted? {
    let column = tree.nodes[keys[0]].column
    var entries: [ClosedRange<Int>] = []
    var gaps: [Range<Int>] = []
    let line = tree.nodes[keys[0]].line
    var start = head(of: line)
    // What a file begins with is about the file.
    if isTop, start == 1 || !lines.isBlank(start - 1) { start = line }
    for position in keys.indices {
      let key = tree.nodes[keys[position]]
      let value = tree.nodes[node.children[position * 2 + 1]]
      // An empty value has no line of its own, wherever the parser sees it.
      let isEmpty = value.kind == .scalar && value.text.isEmpty && value.style == .plain && value.anchor == nil
      let content = isEmpty ? key.line : max(key.line, value.lastLine)
      let next = position + 1 < keys.count ? tree.nodes[keys[position + 1]].line : lines.count + 1
      guard content < next else { return nil }
      let last = tail(after: content, below: next, deeperThan: column)
      entries.append(start...last)
      guard position + 1 < keys.count else { break }
      var gap = last + 1
      while gap < next, lines.isBlank(gap) { gap += 1 }
      gaps.append(last + 1..<gap)
      start = gap
    }
    guard let first = entries.first?.lowerBound, let last = entries.last?.upperBound else { return nil }
    return Sorted(first: first, last: last, entries: entries, gaps: gaps, order: order)
  }

  /// The first of the comment lines that stand right above the line.
  private func head(of line: Int) -> Int {
    var first = line
    while first > 1, let column = lines.commentColumn(first - 1), lines.begins(line, at: column) { first -= 1 }
    return first
  }

  /// The last of the comment lines after an entry that are indented deeper than its key.
  private func tail(after content: Int, below next: Int, deeperThan column: Int) -> Int {
    var last = content
    var line = content + 1
    while line < next, line <= lines.count {
      if let comment = lines.commentColumn(line) {
        guard comment > column else { break }
        last = line
      } else if !lines.isBlank(line) {
        break
      }
      line += 1
    }
    return last
  }

  // MARK: Writing

  /// Adds the lines of a range, those of the mappings in it in their new order.
  ///
  /// - Parameter next: the first mapping that may lie in the range; afterwards the first that lies behind it.
  private func emit(_ first: Int, _ last: Int, _ next: inout Int, _ order: inout [Int]) {
    var line = first
    while next < mappings.count, mappings[next].first <= last {
      let mapping = mappings[next]
      next += 1
      if mapping.first > line { order.append(contentsOf: line..<mapping.first) }
      // The mappings within each entry follow in the list, in written order.
      var pieces: [[Int]] = []
      for entry in mapping.entries {
        var piece: [Int] = []
        emit(entry.lowerBound, entry.upperBound, &next, &piece)
        pieces.append(piece)
      }
      for (place, entry) in mapping.order.enumerated() {
        if place > 0 { order.append(contentsOf: mapping.gaps[place - 1]) }
        order.append(contentsOf: pieces[entry])
      }
      line = mapping.last + 1
    }
    if line <= last { order.append(contentsOf: line...last) }
  }
}
