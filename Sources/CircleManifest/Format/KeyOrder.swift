/// The canonical order of keys where manifests have a closed set of them; what people name stays as it is written.
struct KeyOrder {
  /// Where a mapping stands.
  enum Place {
    case top, defaults, users, user, servers, server, other

    /// The place of the value of this key.
    func inside(_ key: String) -> Place {
      switch (self, key) {
      case (.top, "defaults"): .defaults
      case (.top, "users"): .users
      case (.top, "servers"): .servers
      case (.defaults, "server"): .server
      case (.users, _): .user
      case (.servers, _): .server
      default: .other
      }
    }
  }

  private static let top = ["version", "defaults", "groups", "users", "servers"]
  private static let user = UserKey.words
  private static let server = [
    "name", "owner", "type", "icon", "background", "desc", "ext", "tags", "moderators", "members", "absent",
    "membership", "join", "welcome", "protect", "renamedFrom", "serverId",
  ]

  /// The rank of a key: merge keys first, unknown ones last; nil where the keys have no order.
  static func rank(of key: String, in place: Place) -> Int? {
    let keys: [String]
    switch place {
    case .top: keys = top
    case .user: keys = user
    case .server: keys = server
    case .defaults, .users, .servers, .other: return nil
    }
    if key.utf8.elementsEqual("<<".utf8) { return -1 }
    return keys.firstIndex { $0.utf8.elementsEqual(key.utf8) } ?? keys.count
  }
}
