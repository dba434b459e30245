import CircleModel
import CircleState

/// Those who listen to a state's events, and how far they have heard.
struct EventHub {
  struct Listener {
    let user: String
    /// Nil is none of the user's devices: it hears no multi-device event.
    let device: String?
    /// Answers whether somebody still listens.
    let receive: @Sendable (CircleEvent) -> Bool
    /// The object that is told, where it is one.
    var delegate: ObjectIdentifier?
  }

  struct Token: Hashable, Sendable {
    fileprivate let number: Int
  }

  private var listeners: [Token: Listener] = [:]
  private var lastToken = 0
  /// Knows the listeners' memberships and devices; nil while nobody listens.
  private var follower: EventFollower?

  var isEmpty: Bool { listeners.isEmpty }

  /// From now on the listener hears what happens.
  mutating func add(_ listener: Listener, to store: StateStore) throws(StateError) -> Token {
    var users = Set(listeners.values.map(\.user))
    users.insert(listener.user)
    try store.reading { () throws(StateError) in
      try deliver(from: EventLog(store.rows))
      follower = try EventFollower(after: EventLog(store.rows), listeners: users.sorted())
    }
    lastToken += 1
    let token = Token(number: lastToken)
    listeners[token] = listener
    return token
  }

  mutating func remove(_ token: Token) {
    listeners[token] = nil
    if listeners.isEmpty { follower = nil }
  }

  mutating func remove(delegate: ObjectIdentifier, of user: String, _ device: String?) {
    for (token, listener) in listeners where listener.delegate == delegate {
      if listener.user == user, listener.device == device { remove(token) }
    }
  }

  /// Tells the listeners what has happened since the last call.
  mutating func deliver(from store: StateStore) throws(StateError) {
    guard !listeners.isEmpty else { return }
    try store.reading { () throws(StateError) in try deliver(from: EventLog(store.rows)) }
  }

  private mutating func deliver(from log: EventLog) throws(StateError) {
    guard var follower else { return }
    self.follower = nil
    defer { self.follower = follower }
    var gone: Set<Token> = []
    let listeners = listeners.sorted { $0.key.number < $1.key.number }
    let tell = { (event: LoggedEvent, audience: Audience) in
      var told: CircleEvent?
      for (token, listener) in listeners where !gone.contains(token) {
        if event.name.isDeviceEvent, listener.device == nil { continue }
        guard audience.includes(listener.user, device: listener.device.map { Text($0) }) else { continue }
        if told == nil { told = CircleEvent(event, audience.names) }
        if let told, !listener.receive(told) { gone.insert(token) }
      }
      return true
    }
    do throws(StateError) {
      try follower.forEachNew(in: log) { (event, audience) in tell(event, audience) }
    } catch .archived {
      // Another process has cut the log beyond what was heard; what is left to hear is what comes.
      follower = try EventFollower(after: log, listeners: Set(self.listeners.values.map(\.user)).sorted())
    }
    for token in gone { self.listeners[token] = nil }
  }
}
