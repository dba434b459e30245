import CircleKit
import CircleModel
import CircleState
import CommandTree

extension ArgumentSpec {
  /// What a command changes.
  static let server = ArgumentSpec("server", completion: .kind("server"), "The server's handle or id.")

  /// What a command only reads.
  static let readServer = ArgumentSpec(
    "server", completion: .kind("server"), "The server's handle, its id, or the beginning of its name.")

  static let users = ArgumentSpec("users", shown: "USER", cardinality: .many, completion: .kind("user"), "Users.")

  static let usersOrCaller = ArgumentSpec(
    "users", shown: "USER", cardinality: .zeroOrMore, completion: .kind("user"), "Users; the one of --as when left out."
  )

  static let userOrCaller = ArgumentSpec(
    "user", cardinality: .optional, completion: .kind("user"), "A user; the one of --as when left out.")
}

extension OptionSpec {
  static let reason = value("reason", "TEXT", "Why; it is kept in the history.")
  /// A filter.
  static let type = value(
    "type", "TYPE", choices: ServerType.allCases.map { Choice($0.word) }, "Only those of this type.")
  static let roles = value(
    "role", "ROLE", repeatable: true, choices: Role.allCases.map { Choice($0.word) }, "Only those with this role.")
}

extension CommandRun {
  /// The users whom `users` names, or without one the user of `--as`.
  func concernedUsers() throws(Failure) -> [String] {
    let named = arguments.arguments("users")
    return named.isEmpty ? [try callerAsUser()] : named
  }

  /// The user whom `user` names, or without one the user of `--as`.
  func concernedUser() throws(Failure) -> String {
    if let named = arguments.argument("user") { return named }
    return try callerAsUser()
  }

  private func callerAsUser() throws(Failure) -> String {
    guard case .user(let user, _) = try caller() else {
      throw Failure(.usage, "no USER is named, and there is no --as")
    }
    return user
  }

  /// The roles that `--role` chooses; all without one.
  var chosenRoles: Set<Role> {
    let words = arguments.values("role")
    return Set(Role.allCases.filter { words.isEmpty || words.contains($0.word) })
  }

  /// The server that a reading command names: its id, or the name as it was given where there is none such.
  func readServer(in store: StateStore) throws(Failure) -> String {
    let name = try required("server")
    return try findServer(name, in: store)?.id.string ?? name
  }
}
