import CircleKit
import CircleModel
import CircleState
import Diagnostics

extension CommandRun {
  /// The registered user whose id is like one that nobody has; the ids alone are read.
  func nearestUser(to id: Text, in store: StateStore) throws(Failure) -> String? {
    try onState { () throws(StateError) in
      guard let near = nearestName(to: id.folded.string, among: try store.names(in: .users)) else { return nil }
      var names = UserNames()
      let index = names.intern(near)
      return try store.load(Scope(), names: names).snapshot.names[index]
    }
  }
}
