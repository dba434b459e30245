/// Gathers the diagnostics of a run: the first ones of each severity are kept, all are counted.
///
/// The input is read in order, so the first ones appended are the ones worth showing; a run with a million faults
/// holds no more of them than one with a hundred.
package struct DiagnosticCollector: Sendable {
  /// How many of each severity are kept.
  package let limit: Int

  private struct Kept: Sendable {
    var items: [Diagnostic] = []
    var count = 0

    mutating func append(_ diagnostic: Diagnostic, limit: Int) {
      count += 1
      if items.count < limit { items.append(diagnostic) }
    }
  }

  private var notes = Kept()
  private var warningsKept = Kept()
  private var errorsKept = Kept()

  package init(limit: Int = 100) {
    self.limit = max(limit, 0)
  }

  package mutating func append(_ diagnostic: Diagnostic) {
    switch diagnostic.severity {
    case .note: notes.append(diagnostic, limit: limit)
    case .warning: warningsKept.append(diagnostic, limit: limit)
    case .error: errorsKept.append(diagnostic, limit: limit)
    }
  }

  package mutating func append(contentsOf diagnostics: some Sequence<Diagnostic>) {
    for diagnostic in diagnostics { append(diagnostic) }
  }

  /// Counts an error and makes its diagnostic only while there is room for it, for loops that may find a fault in
  /// every row.
  package mutating func appendError(_ make: () -> Diagnostic) {
    if errorsKept.items.count < limit {
      append(make())
    } else {
      errorsKept.count += 1
    }
  }

  /// Takes over what another collector has kept and counted, after what is here.
  package mutating func append(contentsOf other: DiagnosticCollector) {
    for path in [\DiagnosticCollector.notes, \.warningsKept, \.errorsKept] {
      let room = max(limit - self[keyPath: path].items.count, 0)
      self[keyPath: path].items += other[keyPath: path].items.prefix(room)
      self[keyPath: path].count += other[keyPath: path].count
    }
  }

  /// The same without mere doubts.
  package var withoutWarnings: DiagnosticCollector {
    var rest = self
    rest.warningsKept = Kept()
    return rest
  }

  /// The errors that were kept, in the order of their places.
  package var errors: [Diagnostic] { Self.byPlace(errorsKept.items) }
  /// The warnings that were kept, in the order of their places.
  package var warnings: [Diagnostic] { Self.byPlace(warningsKept.items) }
  /// All errors, also those not kept.
  package var errorCount: Int { errorsKept.count }
  /// All warnings, also those not kept.
  package var warningCount: Int { warningsKept.count }
  package var hasErrors: Bool { errorsKept.count > 0 }
  package var isEmpty: Bool { notes.count + warningsKept.count + errorsKept.count == 0 }

  /// All that was kept, in the order of the places; what has the same place stays in the order of appending within
  /// its severity, errors first. What has no place comes first.
  package func sorted() -> [Diagnostic] {
    Self.byPlace(errorsKept.items + warningsKept.items + notes.items)
  }

  private static func byPlace(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    diagnostics.enumerated()
      .sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }
      .map(\.element)
  }
}
