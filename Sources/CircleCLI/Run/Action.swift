/// What the program does for a command.
struct Action: Sendable {
  let body: @Sendable (CommandRun) throws(Failure) -> ExitStatus
  /// Whether `circlectl.yaml` is read before it.
  let heedsProject: Bool

  init(heedsProject: Bool = true, _ body: @escaping @Sendable (CommandRun) throws(Failure) -> ExitStatus) {
    self.body = body
    self.heedsProject = heedsProject
  }
}
