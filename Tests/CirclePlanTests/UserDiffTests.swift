import CircleModel
import CirclePlan
import Diagnostics
import Testing

struct UserDiffTests {
  let bob = Manifest.Person(name: "bob", fields: [.nickName: "Bob", .sign: "hello"], devices: ["mac", "phone"])

  func applied() -> World {
    var world = World()
    world.apply(Manifest(users: [bob]))
    return world
  }

  @Test
  func `a new user is one, with profile and devices`() {
    var world = World()
    let manifest = Manifest(users: [
      .init(name: "zoe", fields: [.nickName: "Zoe"], devices: ["mac"]), .init(name: "yan"),
    ])
    let plan = world.apply(manifest)
    #expect(plan.lines == ["pending create user yan", "pending create user zoe"])
    #expect(plan.steps == ["registerUser yan", "registerUser zoe"])
    #expect(world.plan(manifest).isEmpty)
  }

  @Test
  func `fields and devices are compared with what the last apply left`() {
    var world = applied()
    let user = world.user("bob")
    world.run(.updateUser(user, [FieldSetting(.sign, "by hand"), FieldSetting(.email, "b@x.example")]))
    world.run(.setDevices(user, ["tablet"]))
    var person = bob
    person.fields[.nickName] = "Robert"
    let plan = world.plan(Manifest(users: [person]))
    #expect(
      plan.lines == [
        "pending update field bob.nickName [Bob → Robert]", "drift update field bob.sign [by hand → hello]",
        "drift update devices bob [tablet → mac, phone]",
      ])
    #expect(plan.steps == ["updateUser bob", "setDevices bob"])
    world.apply(Manifest(users: [person]))
    #expect(world.plan(Manifest(users: [person])).isEmpty)
    #expect(invariantViolations(of: world.state) == [])
  }

  @Test
  func `the base of a field is what the last apply of any stack that named it wrote`() {
    var world = applied()
    let user = world.user("bob")
    let other = Manifest(users: [.init(name: "bob", fields: [.email: "b@x.example"])])
    world.apply(other, PlanOptions(stack: "other"))
    world.run(.updateUser(user, [FieldSetting(.sign, "by hand"), FieldSetting(.email, "c@x.example")]))
    #expect(world.plan(Manifest(users: [bob])).lines == ["drift update field bob.sign [by hand → hello]"])
    #expect(
      world.plan(other, PlanOptions(stack: "other")).lines
        == ["drift update field bob.email [c@x.example → b@x.example]"])
  }

  @Test
  func `null clears a field, and an unknown gender is none`() {
    let world = applied()
    let person = Manifest.Person(name: "bob", fields: [.nickName: String?.none, .gender: "unknown"])
    #expect(world.plan(Manifest(users: [person])).lines == ["pending update field bob.nickName [Bob → ]"])
  }

  @Test
  func `another spelling is no change`() {
    let world = applied()
    var person = bob
    person.name = "BOB"
    #expect(world.plan(Manifest(users: [person])).isEmpty)
  }

  @Test
  func `users whom nobody registers are faults with the nearest name, or registered on demand`() {
    var world = World()
    let manifest = Manifest(.init("go", members: ["bobb", "carol", "newcomer"]), users: [.init(name: "newcomer")])
    let plan = world.plan(manifest)
    #expect(plan.faults.map(\.message) == ["user 'bobb' is not registered; did you mean 'bob'?"])
    #expect(plan.codes == ["plan.unknown-user"])
    #expect(plan.changes.isEmpty && plan.outcome.records.isEmpty)
    let registering = world.apply(manifest, PlanOptions(register: true))
    #expect(registering.lines.prefix(2) == ["pending create user bobb", "pending create user newcomer"])
    #expect(registering.changes.first?.rule == .registerOption)
    #expect(world.plan(manifest).isEmpty)
  }

  @Test
  func `registered users whom no manifest names are counted`() {
    var state = Snapshot()
    var names = UserNames()
    let bob = names.intern("bob")
    state.adopt(names)
    for name in ["bob", "carol", "dave"] {
      let user = state.intern(name)
      state[user].isRegistered = true
      state.totals.users += 1
    }
    let desired = DesiredState(names: names, users: [DesiredUser(bob, at: .none)], mentions: [.none])
    let context = RunContext(kind: .apply, time: 1, ids: IDSource(seed: [], nextSeq: 1))
    let plan = plan(desired: desired, actual: state, options: PlanOptions(), context: context)
    #expect(plan.counts.unmanagedUsers == 2)
    #expect(plan.isEmpty)
  }
}
