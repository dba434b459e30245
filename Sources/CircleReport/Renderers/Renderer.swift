package import CircleState

/// Why a report could not be rendered to the end.
package enum RenderError: Error, Equatable, Sendable {
  case output(OutputError)
  /// The events could not be read.
  case state(StateError)
}

/// Writes reports in one format.
protocol Renderer {
  func render(_ report: borrowing Report, to sink: inout ByteSink) throws(RenderError)
}

/// How text looks.
package struct TextStyle: Equatable, Sendable {
  /// Whether to use the colours of a terminal.
  package var colour: Bool
  /// How wide the terminal is; nil where there is none, and lines may have any length.
  package var columns: Int?

  package init(colour: Bool = false, columns: Int? = nil) {
    self.colour = colour
    self.columns = columns
  }
}

extension Report {
  /// Writes the report and flushes the sink. Same report, same format, same style: same bytes.
  package func write(
    as format: OutputFormat, style: TextStyle = TextStyle(), to sink: inout ByteSink
  ) throws(RenderError) {
    try renderer(for: format, style).render(self, to: &sink)
    do throws(OutputError) { try sink.flush() } catch { throw .output(error) }
  }

  private func renderer(for format: OutputFormat, _ style: TextStyle) -> any Renderer {
    switch format {
    case .text: TextRenderer(style: style)
    case .json: JSONRenderer()
    case .ndjson: NDJSONRenderer()
    case .markdown: MarkdownRenderer()
    case .html: HTMLRenderer()
    case .junit: JUnitRenderer()
    case .sarif: SARIFRenderer()
    case .github: GitHubRenderer()
    case .gitlab: GitLabRenderer()
    case .cloudevents: CloudEventsRenderer()
    }
  }
}
