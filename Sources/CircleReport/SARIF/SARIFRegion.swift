import Diagnostics

/// Where something stands, in the columns of SARIF: UTF-16 units from 1, the end after the last one.
struct SARIFRegion: Equatable {
  var line: Int
  var column: Int?
  var endColumn: Int?

  /// - Parameters:
  ///   - text: the line, where it can be read; without it no column can be told.
  ///   - end: the column after the last one meant, in code points as `place` has them.
  init(_ place: Place, end: Int?, text: String?) {
    line = place.line
    guard place.column > 0, let text else { return }
    let scalars = text.unicodeScalars
    func units(before column: Int) -> Int {
      1 + scalars.prefix(column - 1).reduce(0) { $0 + Unicode.UTF16.units(of: $1) }
    }
    column = units(before: place.column)
    if let end, end > place.column { endColumn = units(before: end) }
  }
}

extension Unicode.UTF16 {
  /// How many units a scalar takes.
  fileprivate static func units(of scalar: Unicode.Scalar) -> Int { scalar.value > 0xFFFF ? 2 : 1 }
}
