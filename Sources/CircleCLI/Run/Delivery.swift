import CircleReport
import CircleState

extension CommandRun {
  /// Writes the report to standard output in the format asked for, and to every file of `--report`.
  func deliver(_ report: Report) throws(Failure) {
    hasReported = true
    try phase(.reporting) { () throws(Failure) in
      try write(report, toOutput: true)
    }
  }

  /// Writes the report to the files of `--report` alone: standard output has had its result.
  func deliverToFiles(_ report: Report) throws(Failure) {
    hasReported = true
    try write(report, toOutput: false)
  }

  /// Delivers the report of a run that has been written: a signal no longer matters, and what goes wrong now says so.
  /// - Parameter written: nil where nothing was to be written.
  func deliver(_ report: Report, after written: Run?) throws(Failure) {
    guard let written else { return try deliver(report) }
    hasReported = true
    stopwatch.begin(.reporting)
    defer { stopwatch.end() }
    do throws(Failure) {
      try write(report, toOutput: true)
    } catch {
      var failure = error
      failure.next.append("The state was changed all the same: run \(written.number) is written.")
      throw failure
    }
  }

  /// Writes a part of what has no end to standard output.
  func tell(_ report: Report) throws(Failure) {
    hasReported = true
    try writeToOutput(report)
  }

  /// Shows a report to a person at the terminal who is about to be asked; results have not come yet.
  func show(_ report: Report) throws(Failure) {
    console.clearProgress()
    try render(report, as: .text, TextStyle(colour: colourOnErrors), to: context.errors) {
      Failure(.failed, "can't show the plan: \($0.message)")
    }
  }

  /// Tells programs of a failure that no report tells yet: people have it on standard error.
  func deliver(_ failure: Failure) throws(Failure) {
    guard !hasReported else { return }
    hasReported = true
    try write(Report(of: failure, command: command), toOutput: options.output.isForMachines)
  }

  /// The files get their reports also when standard output fails: that is when they are needed most.
  private func write(_ report: Report, toOutput: Bool) throws(Failure) {
    var failure: Failure?
    if toOutput {
      do throws(Failure) { try writeToOutput(report) } catch { failure = error }
    }
    for file in reports where !(hasUnknownInputs && file.target.exists(in: context)) {
      let target = file.target
      try target.write(in: context) { (descriptor) throws(Failure) in
        try render(report, as: file.format, TextStyle(colour: false), to: descriptor) { target.cannotWrite($0.message) }
      }
    }
    if options.output == .github || options.reports.contains(where: { $0.format == .github }) {
      try WorkflowFiles(context.environment).append(report, in: context)
    }
    if let failure { throw failure }
  }

  private func writeToOutput(_ report: Report) throws(Failure) {
    if !console.isOutputClosed {
      console.clearProgress()
      try render(report, as: options.output, TextStyle(colour: colourOnOutput), to: context.output) { error in
        guard error != .brokenPipe else {
          console.outputWasClosed()
          return nil
        }
        return Failure(.failed, "can't write the result to standard output: \(error.message)")
      }
    }
  }

  /// - Parameter failure: what a fault in writing means; nil for one that ends the output quietly.
  private func render(
    _ report: Report, as format: OutputFormat, _ style: TextStyle, to descriptor: CInt,
    failure: (OutputError) -> Failure?
  ) throws(Failure) {
    var sink = ByteSink(descriptor: descriptor)
    do throws(RenderError) {
      try report.write(as: format, style: style, to: &sink)
    } catch {
      switch error {
      case .output(let error): if let failure = failure(error) { throw failure }
      case .state(let error): throw Failure(error, location: options.state.path)
      }
    }
  }
}

extension Report {
  /// What a program reads of a failure.
  init(of failure: Failure, command: String) {
    self.init(command: command, result: ReportResult(failure.kind))
    if let faults = failure.faults {
      sections.append(.faults(faults))
    } else if let message = failure.message {
      if let refusal = failure.refusal { sections.append(.records(RecordList(refusal))) }
      sections.append(.message(([message] + failure.next).joined(separator: "\n")))
    }
  }
}

extension ReportResult {
  init(_ kind: Failure.Kind) {
    self =
      switch kind {
      case .usage: .wrongUsage
      case .badInput: .badInput
      case .refused: .refused
      case .stale: .stale
      case .locked: .locked
      case .failed: .failed
      case .interrupted: .interrupted
      }
  }
}
