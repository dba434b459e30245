import CircleKit

// The double: a state in memory, with a clock that stands still, so that each run is like the one before.
let store = CircleStore(clock: { 1_735_787_045_000 }, idSeed: "reading club")
for user in ["alice", "bob", "carol"] { try await store.registerUser(user, devices: ["phone"]) }

// The world around the application: alice has made a community.
let alice = CircleManager(store: store, userId: "alice")
let server = try await alice.createServer(CircleServerAttribute(name: "读书会", desc: "One book a month"))
_ = try await alice.addTags(toServer: server.serverId, tags: ["books"])

// The application runs for bob, on his phone, and hears what concerns him.
let screen = Screen()
let app = ReadingClub(CircleManager(store: store, userId: "bob", device: "phone"), on: screen)
try await app.manager.add(serverDelegate: app)
try await app.join("books")
try await app.join("books")

// Others act, and the application hears of it.
_ = try await CircleManager(store: store, userId: "carol").joinServer(server.serverId)
try await alice.addModerator(toServer: server.serverId, userId: "carol")

let shown = try await screen.shown(4)
precondition(
  shown == ["Welcome to 读书会", "You are in 读书会 already", "carol joined", "carol is a moderator now"],
  "the application showed \(shown)")
print(shown.joined(separator: "\n"))
