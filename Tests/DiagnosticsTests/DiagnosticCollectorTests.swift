import Testing

@testable import Diagnostics

@Suite struct DiagnosticCollectorTests {
  @Test func `a million faults are counted and the first ones kept`() {
    var collector = DiagnosticCollector(limit: 3)
    var made = 0
    for line in 0..<1_000_000 {
      collector.appendError {
        made += 1
        return .error("test.fault", "wrong", at: Place(file: 0, line: line + 1, column: 1))
      }
    }
    #expect(made == 3)
    #expect(collector.errorCount == 1_000_000)
    #expect(collector.errors.map(\.place.line) == [1, 2, 3])
    #expect(collector.hasErrors)
    #expect(collector.warningCount == 0)
  }

  @Test func `what is kept is sorted by place and stable`() {
    var collector = DiagnosticCollector()
    collector.append(.warning("w", "w", at: Place(file: 0, line: 2, column: 1)))
    collector.append(.error("a", "a", at: Place(file: 1, line: 1, column: 1)))
    collector.append(.error("b", "b", at: Place(file: 0, line: 2, column: 1)))
    collector.append(.error("c", "c", at: Place(file: 0, line: 2, column: 1)))
    collector.append(.error("d", "d"))
    collector.append(Diagnostic(.note, "n", "n", at: Place(file: 0, line: 1, column: 9)))
    #expect(collector.sorted().map(\.code) == ["d", "n", "b", "c", "w", "a"])
    #expect(collector.errors.map(\.code) == ["d", "b", "c", "a"])
    #expect(collector.warnings.map(\.code) == ["w"])
  }

  @Test func `collectors join and keep both counts`() {
    var first = DiagnosticCollector(limit: 2)
    var second = DiagnosticCollector(limit: 2)
    first.append(.error("a", "a"))
    second.append(contentsOf: [.error("b", "b"), .error("c", "c"), .error("d", "d"), .warning("w", "w")])
    first.append(contentsOf: second)
    #expect(first.errors.map(\.code) == ["a", "b"])
    #expect(first.errorCount == 4)
    #expect(first.warningCount == 1)
    #expect(!first.isEmpty)
    #expect(DiagnosticCollector().isEmpty)
  }
}
