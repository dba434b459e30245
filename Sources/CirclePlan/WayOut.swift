import CircleModel

extension CircleError {
  /// What to do about a refused operation of a plan, a line each.
  func wayOut(of operation: OperationKind) -> [String] {
    switch (name, operation) {
    case (.reachLimit, .createServer):
      ["destroy a server of that owner, or raise the limit: circlectl state set-limit created N"]
    case (.reachLimit, .joinServer):
      ["take the user out of another server, or raise the limit: circlectl state set-limit joined N"]
    case (.reachLimit, .addTags): ["a server holds \(Limits.tagsAServer) tags at most; take some out"]
    case (.handleTaken, _): ["choose another handle, or rename or destroy the server that has this one"]
    case (.protected, _): ["name the server in a manifest with 'protect: false' and apply that first"]
    case (.queryParamReachesLimit, _): ["shorten the text"]
    default: []
    }
  }
}
