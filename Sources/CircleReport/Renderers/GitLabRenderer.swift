import JSONText

/// What GitLab's widget of plans reads (`artifacts: reports: terraform`): how much is created, updated and deleted; zero
/// where there is no plan.
struct GitLabRenderer: Renderer {
  func render(_ report: borrowing Report, to sink: inout ByteSink) throws(RenderError) {
    var tally = PlanTally()
    for section in report.sections {
      if case .plan(let section) = section { tally = PlanTally(section.plan) }
    }
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
