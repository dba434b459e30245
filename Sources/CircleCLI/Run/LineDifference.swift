/// What differs between two texts, line by line, as `diff -u` writes it.
struct LineDifference {
  private let before: [ArraySlice<UInt8>]
  private let after: [ArraySlice<UInt8>]

  /// More lines than that on a side are told as removed and added as a whole: the comparison takes their product.
  private static let most = 2000
  private static let context = 2

  init(_ before: [UInt8], _ after: [UInt8]) {
    self.before = Self.lines(before)
    self.after = Self.lines(after)
  }

  /// What follows the last line break is a line only where there is something.
  private static func lines(_ text: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  private enum Step { case same, removed, added }

  /// With the file's name in its head. The texts differ.
  func text(of path: String) -> String {
    var start = 0
    while start < min(before.count, after.count), before[start] == after[start] { start += 1 }
    var (endBefore, endAfter) = (before.count, after.count)
    while endBefore > start, endAfter > start, before[endBefore - 1] == after[endAfter - 1] {
      endBefore -= 1
      endAfter -= 1
    }
    // Only the last line break is missing.
    if start == before.count, start == after.count { start = max(start - 1, 0) }
    var text = "--- \(path)\n+++ \(path) (formatted)\n@@ line \(start + 1) @@\n"
    func add(_ sign: String, _ line: ArraySlice<UInt8>) { text += "\(sign)\(String(decoding: line, as: UTF8.self))\n" }
    for line in before[max(start - Self.context, 0)..<start] { add(" ", line) }
    var (b, a) = (start, start)
    for step in steps(start..<endBefore, start..<endAfter) {
      switch step {
      case .same:
        add(" ", before[b])
        b += 1
        a += 1
      case .removed:
        add("-", before[b])
        b += 1
      case .added:
        add("+", after[a])
        a += 1
      }
    }
    for line in before[endBefore..<min(endBefore + Self.context, before.count)] { add(" ", line) }
    return text
  }

  /// The longest common subsequence, by the textbook's table.
  private func steps(_ left: Range<Int>, _ right: Range<Int>) -> [Step] {
    guard left.count <= Self.most, right.count <= Self.most else {
      return left.map { _ in .removed } + right.map { _ in .added }
    }
    let width = right.count + 1
    var lengths = [Int32](repeating: 0, count: (left.count + 1) * width)
    for i in left.indices.reversed() {
      for j in right.indices.reversed() {
        let at = (i - left.lowerBound) * width + (j - right.lowerBound)
        lengths[at] =
          before[i] == after[j] ? lengths[at + width + 1] + 1 : max(lengths[at + width], lengths[at + 1])
      }
    }
    var steps: [Step] = []
    var (i, j) = (0, 0)
    while i < left.count || j < right.count {
      let at = i * width + j
      if i < left.count, j < right.count, before[left.lowerBound + i] == after[right.lowerBound + j] {
        steps.append(.same)
        i += 1
        j += 1
      } else if j == right.count || (i < left.count && lengths[at + width] >= lengths[at + 1]) {
        steps.append(.removed)
        i += 1
      } else {
        steps.append(.added)
        j += 1
      }
    }
    return steps
  }
}
