/// What the program does for a command.
struct Action: Sendable {
  let body: @Sendable (CommandRun) throws(Failure) -> ExitStatus
  /// Whether `circlectl.yaml` is read before it.
  let heedsProject: Bool
  /// Whether one that can't be used ends the command, rather than being left to it.
  let needsProject: Bool

  init(
    heedsProject: Bool = true, needsProject: Bool = true,
    _ body: @escaping @Sendable (CommandRun) throws(Failure) -> ExitStatus
  ) {
    self.body = body
    self.heedsProject = heedsProject
    self.needsProject = needsProject
  }
}
