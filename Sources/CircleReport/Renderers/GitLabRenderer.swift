import JSONText

/// What GitLab's widget of plans reads (`artifacts: reports: terraform`): how much is created, updated and deleted; zero
/// where there is neither a plan nor an import.
struct GitLabRenderer: Renderer {
  func render(_ report: borrowing Report, to sink: inout ByteSink) throws(RenderError) {
    let tally = PlanTally(report)
    var writer = JSONWriter()
    writer.object {
      $0.field("create", tally.create)
      $0.field("update", tally.update)
      $0.field("delete", tally.delete)
    }
    writer.endLine()
    sink.buffer.append(bytes: writer.buffer)
  }
}
