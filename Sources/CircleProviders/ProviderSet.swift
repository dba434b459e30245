package import CircleKit

/// The providers of a run, in their order.
package struct ProviderSet: Sendable {
  private enum Member: Sendable {
    case file(FileProvider)
    case exec(CachedProvider)
  }

  private let members: [Member]

  /// - Parameters:
  ///   - users: whom alone they will be asked for.
  ///   - cacheFolder: nil where nothing is kept between runs.
  ///   - now: Unix milliseconds.
  package init(
    _ definitions: [ProviderDefinition], for users: [String], mode: CachedProvider.Mode,
    surroundings: ExecProvider.Surroundings,
    cacheFolder: String?, now: @escaping @Sendable () -> Int64
  ) {
    members = definitions.map { definition in
      switch definition.source {
      case .file(let path): .file(FileProvider(definition, path: path, wanted: users))
      case .exec(let command):
        .exec(
          CachedProvider(
            ExecProvider(definition, command: command, in: surroundings),
            cache: ProviderCache(definition, in: cacheFolder, now: now), mode: mode))
      }
    }
  }

  package var isEmpty: Bool { members.isEmpty }

  /// As a directory takes them.
  package var delegates: [any UserInfoDelegate] {
    members.map { member in
      switch member {
      case .file(let provider): provider
      case .exec(let provider): provider
      }
    }
  }

  /// Where an answer came from.
  package enum Origin: String, CaseIterable, Sendable {
    /// The file of a provider.
    case file
    /// What a command answered in an earlier run.
    case cache
    /// What a command answered now.
    case fetch
  }

  /// Which provider a delegate is, and where it had the user from.
  package func origin(of userID: String, in delegate: any UserInfoDelegate) -> (provider: String, origin: Origin)? {
    for member in members {
      switch member {
      case .file(let provider) where provider === delegate: return (provider.definition.name, .file)
      case .exec(let provider) where provider === delegate:
        return (provider.definition.name, provider.wasFetched(userID) ? .fetch : .cache)
      default: continue
      }
    }
    return nil
  }

  /// What is shown of the user without running anything, and which provider says so.
  package func known(_ userID: String) -> (provider: String, user: User)? {
    for delegate in delegates {
      guard let user = delegate.getUserInfo(account: userID), let origin = origin(of: userID, in: delegate) else {
        continue
      }
      return (origin.provider, user)
    }
    return nil
  }

  /// What went wrong, by provider.
  package var failures: [ProviderError] {
    members.flatMap { member in
      switch member {
      case .file(let provider): provider.failure.map { [$0] } ?? []
      case .exec(let provider): provider.failures
      }
    }
  }

  package var warnings: [ProviderWarnings] {
    members.flatMap { member in
      switch member {
      case .file(let provider): provider.warnings.map { [$0] } ?? []
      case .exec(let provider): provider.warnings
      }
    }
  }

  /// What commands said although they ended well: a line each, with the provider's name.
  package var remarks: [(provider: String, line: String)] {
    var remarks: [(provider: String, line: String)] = []
    for case .exec(let provider) in members {
      for line in provider.remarks { remarks.append((provider.definition.name, line)) }
    }
    return remarks
  }

  /// Whom they can show without running anything.
  package var userIDs: [String] {
    members.flatMap { member in
      switch member {
      case .file(let provider): provider.userIDs
      case .exec(let provider): provider.userIDs
      }
    }
  }

  /// Keeps for later runs what was learnt in this one.
  package func finish() {
    for case .exec(let provider) in members { provider.finish() }
  }

  /// Forgets what the provider of that name has answered.
  package static func forget(_ name: String, cacheFolder: String?) {
    ProviderCache.drop(name, in: cacheFolder)
  }
}
