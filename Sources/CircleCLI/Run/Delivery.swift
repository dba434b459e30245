import CircleReport
import CircleState
import CommandTree

extension CommandRun {
  /// Writes the report to standard output in the format asked for, and to every file of `--report`.
  ///
  /// - Parameters:
  ///   - shown: what standard output gets instead as text, for a person who knows the rest already.
  ///   - written: the run that the report is of: a signal no longer matters, and what goes wrong says that it is written.
  ///     Nil where nothing was to be written.
  func deliver(_ report: Report, shown: Report? = nil, after written: Run? = nil) throws(Failure) {
    hasReported = true
    guard written != nil else {
      return try phase(.reporting) { () throws(Failure) in try write(report, shown: shown, toOutput: true) }
    }
    stopwatch.begin(.reporting)
    defer { stopwatch.end() }
    try after(written) { () throws(Failure) in try write(report, shown: shown, toOutput: true) }
  }

  /// Writes the report to the files of `--report` alone: standard output has had its result.
  func deliverToFiles(_ report: Report) throws(Failure) {
    hasReported = true
    try write(report, toOutput: false)
  }

  /// Writes a result that is no report, such as a script, to standard output; reports say that it was written.
  ///
  /// - Parameters:
  ///   - what: what it is, `a manual page is roff`, for who asks for another format.
  ///   - format: that of the text itself, where reports have it too.
  func deliver(_ text: String, _ what: String, also format: OutputFormat = .text) throws(Failure) -> ExitStatus {
    if arguments.isGiven("output"), options.output != .text, options.output != format {
      throw Failure(.usage, "\(what), not \(options.output.rawValue)", next: ["Leave --output out."])
    }
    try console.write(text)
    try deliverToFiles(Report(command: command, result: .done))
    return .done
  }

  /// Writes a schema to standard output: it is JSON in any format.
  func deliver(schema: String) throws(Failure) -> ExitStatus {
    try deliver(schema, "a schema is JSON", also: .json)
  }

  /// Runs what is left to do once a run is written; what goes wrong then says so.
  func after(_ written: Run?, _ body: () throws(Failure) -> Void) throws(Failure) {
    do throws(Failure) {
      try body()
    } catch {
      var failure = error
      if let written {
        // 5 would say that nothing was done, and that one can try again.
        if case .locked = failure.kind { failure.kind = .failed }
        failure.next.append("The state was changed all the same: run \(written.number) is written.")
      }
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
    try render(report, as: .text, style(of: context.errors, colourOnErrors), to: context.errors) {
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
  private func write(_ report: Report, shown: Report? = nil, toOutput: Bool) throws(Failure) {
    var failure: Failure?
    let whole = report.with(warnings)
    if toOutput {
      // Who reads text has the warnings on standard error.
      let result = options.output == .text ? shown ?? report : whole
      do throws(Failure) { try writeToOutput(result) } catch { failure = error }
    }
    for file in reports where !(hasUnknownInputs && file.target.exists(in: context)) {
      let target = file.target
      try target.write(in: context) { (descriptor) throws(Failure) in
        try render(whole, as: file.format, TextStyle(colour: false), to: descriptor) { target.cannotWrite($0.message) }
      }
    }
    if options.output == .github || options.reports.contains(where: { $0.format == .github }) {
      try WorkflowFiles(context.environment).append(whole, in: context)
    }
    if let failure { throw failure }
  }

  private func writeToOutput(_ report: Report) throws(Failure) {
    if !console.isOutputClosed {
      console.clearProgress()
      try render(report, as: options.output, style(of: context.output, colourOnOutput), to: context.output) { error in
        guard error != .brokenPipe else {
          console.outputWasClosed()
          return nil
        }
        return Failure(.failed, "can't write the result to standard output: \(error.message)")
      }
    }
  }

  private func style(of descriptor: CInt, _ colour: Bool) -> TextStyle {
    TextStyle(colour: colour, columns: context.columns(descriptor))
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
  /// The same with a sentence each at the end.
  fileprivate func with(_ sentences: [String]) -> Report {
    var report = self
    report.sections += sentences.map { .message($0) }
    return report
  }

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
