package import CircleModel
package import Diagnostics

/// What a row of tags or members asks for.
package enum ListAction: UInt8, Sendable {
  case add = 0
  case remove = 1
}

/// One row of a table of tags or members in sixteen bytes: a run may hold millions.
package struct ListRow: Sendable {
  /// The server's number in the table's names.
  package var server: UInt32
  /// The user's index, or the tag's number.
  package var object: UInt32
  private var rest: UInt64

  /// Where a row and the cells in it stand.
  struct Spot {
    /// Where the row begins.
    var row: Place
    /// The columns of the cells on the row's line; 0 where one is not known.
    var server: Int
    var user: Int
  }

  /// - Parameters:
  ///   - role: `.user` or `.moderator`; nil leaves it.
  ///   - spot: columns are kept as far as 63 for the server and 127 for the user.
  init(server: Int, object: UInt32, action: ListAction, role: Role?, at spot: Spot) {
    self.server = UInt32(truncatingIfNeeded: server)
    self.object = object
    let columns = UInt64(spot.server > 63 ? 0 : spot.server) << 3 | UInt64(spot.user > 127 ? 0 : spot.user) << 9
    rest =
      spot.row.packed & ~0xFFFF | columns | UInt64(action.rawValue) | UInt64(role.map { $0.rawValue + 1 } ?? 0) << 1
  }

  package var action: ListAction { rest & 1 == 0 ? .add : .remove }
  package var role: Role? { rest >> 1 & 3 == 0 ? nil : Role(rawValue: UInt8(rest >> 1 & 3) - 1) }
  /// Where the row begins.
  package var place: Place { Place(packed: rest & ~0xFFFF | 1) }
  /// Where the server is named; without a column where it stands far to the right.
  package var serverPlace: Place { Place(packed: rest & ~0xFFFF | rest >> 3 & 63) }
  /// Where the user is named; without a column where it stands far to the right.
  package var userPlace: Place { Place(packed: rest & ~0xFFFF | rest >> 9 & 127) }
}

/// The words that a column `action` may have.
enum ActionWord {
  /// nil for what is none of them.
  static func action(_ text: UnsafeBufferPointer<UInt8>) -> ListAction? {
    switch String(decoding: text.prefix(16), as: UTF8.self).lowercased() {
    case "add": .add
    case "remove": .remove
    default: nil
    }
  }

  static let reason = "the action is add or remove"
}

/// The words that a column `role` may have.
enum RoleWord {
  /// - Returns: nil for what is none of them; the owner is fixed at a server's creation.
  static func role(_ text: UnsafeBufferPointer<UInt8>) -> Role? {
    if text.count == 1 {
      return text[0] == UInt8(ascii: "2") ? .user : text[0] == UInt8(ascii: "1") ? .moderator : nil
    }
    if text.elementsEqual("user".utf8) { return .user }
    if text.elementsEqual("moderator".utf8) { return .moderator }
    switch String(decoding: text.prefix(16), as: UTF8.self).lowercased() {
    case "user": return .user
    case "moderator": return .moderator
    default: return nil
    }
  }

  static func reason(_ text: UnsafeBufferPointer<UInt8>) -> String {
    let isOwner =
      text.elementsEqual("0".utf8) || String(decoding: text.prefix(16), as: UTF8.self).lowercased() == "owner"
    return isOwner ? "the owner of a server is fixed at its creation" : "the role is user or moderator, or 2 or 1"
  }
}
