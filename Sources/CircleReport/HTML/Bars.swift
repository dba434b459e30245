/// Bars drawn as SVG: widths in percent of the longest, so that they fit any screen. What they show stands beside them as
/// numbers, so they are hidden from those who hear the page.
enum Bars {
  /// Two bars one above the other: before and after.
  static func pair(_ before: Int, _ after: Int, of most: Int) -> HTML {
    """
    <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">\
    <rect class="b0" y="0.5" width="\(width(before, of: most))" height="4"/>\
    <rect class="b1" y="5.5" width="\(width(after, of: most))" height="4"/></svg>
    """
  }

  static func single(_ value: Int, of most: Int) -> HTML {
    """
    <svg class="bar one" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">\
    <rect class="b1" width="\(width(value, of: most))" height="10"/></svg>
    """
  }

  /// A bar for each number, from left to right.
  static func row(_ values: [Int], label: String) -> HTML {
    let most = values.max() ?? 0
    var rects: HTML = ""
    for (position, value) in values.enumerated() where value > 0 {
      let height = max(value * 100 / max(most, 1), 3)
      rects += #"<rect class="b1" x="\#(position * 10)" y="\#(100 - height)" width="8" height="\#(height)"/>"#
    }
    return """
      <svg class="line" viewBox="0 0 \(values.count * 10) 100" preserveAspectRatio="none" role="img" aria-label="\(label)">\
      \(rects)</svg>
      """
  }

  /// In tenths of a percent, so that a small number is still seen.
  private static func width(_ value: Int, of most: Int) -> String {
    guard most > 0, value > 0 else { return "0" }
    let tenths = max(value * 1000 / most, 5)
    return "\(tenths / 10).\(tenths % 10)"
  }
}
