import JSONText

extension ByteSink {
  /// Hands on a piece of a page.
  mutating func put(_ html: HTML) throws(RenderError) {
    buffer.append(utf8: html.text)
    do throws(OutputError) { try drain() } catch { throw .output(error) }
  }
}
