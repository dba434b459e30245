import CircleModel

/// What an apply notes of a server at its end, and settles before: its settings, and what its entry manages and lists.
extension DesiredServer {
  /// The fields and lists that the entry names.
  var managed: FieldMask {
    var mask = FieldMask()
    for attribute in attributes { mask.insert(FieldMask(attribute.field)) }
    if tags != nil { mask.insert(.tags) }
    if moderators != nil { mask.insert(.moderators) }
    if members != nil { mask.insert(.members) }
    return mask
  }

  /// The settings that are given and not as last applied; nil when there is none.
  func settings(unlike last: ServerSettings) -> (settings: ServerSettings, clearsWelcome: Bool)? {
    var news = ServerSettings()
    if let membership, membership.value != last.membership { news.membership = membership.value }
    if let join, join.value != last.join { news.join = join.value }
    if let protect, protect.value != last.protect { news.protect = protect.value }
    var clearsWelcome = false
    if changesWelcome(of: last) {
      news.welcome = TextRule.unlessBlank(welcome?.value)
      clearsWelcome = news.welcome == nil
    }
    return news == ServerSettings() && !clearsWelcome ? nil : (news, clearsWelcome)
  }

  func changesWelcome(of last: ServerSettings) -> Bool {
    guard let welcome else { return false }
    return TextRule.unlessBlank(welcome.value) != last.welcome
  }

  /// The marks that the server lacks; nil when the base says it all already.
  /// - Parameter listingsDiffer: whether there are listings that no step of the plan notes.
  func marks(for server: Server, listingsDiffer: Bool) -> ServerMarks? {
    let listings = listingsDiffer ? unmarkedListings(in: server) : []
    let base = server.base
    let isMarked =
      base.managed == managed && base.overrides.isEmpty && base.lostTags.isEmpty && listings.isEmpty
      && server.tags.allSatisfy { $0.isListed == lists($0) }
    return isMarked ? nil : ServerMarks(managed: managed, listings: listings, tags: tags?.value.map(\.value))
  }

  private func lists(_ tag: Tag) -> Bool {
    tags?.value.contains { $0.value == tag.name } ?? false
  }

  /// By user index.
  private func unmarkedListings(in server: Server) -> [(user: UserIndex, listing: Listing)] {
    let members = self.members?.value ?? []
    let moderators = self.moderators?.value ?? []
    let present = server.members.sorted()
    let absentees = server.base.absentees.keys.sorted { $0.raw < $1.raw }
    var unmarked: [(user: UserIndex, listing: Listing)] = []
    var (m, d, p, a) = (0, 0, 0, 0)
    while true {
      let heads = (
        m < members.count ? members[m].user.raw : UInt32.max,
        d < moderators.count ? moderators[d].user.raw : UInt32.max,
        p < present.count ? present[p].user.raw : UInt32.max, a < absentees.count ? absentees[a].raw : UInt32.max
      )
      let next = min(min(heads.0, heads.1), min(heads.2, heads.3))
      if next == UInt32.max { return unmarked }
      var wanted: Listing = []
      var marked: Listing = []
      if heads.0 == next {
        wanted.insert(.member)
        m += 1
      }
      if heads.1 == next {
        wanted.insert(.moderator)
        d += 1
      }
      if heads.2 == next {
        marked = present[p].listing
        p += 1
      }
      if heads.3 == next {
        if heads.2 != next { marked = server.base.absentees[absentees[a]] ?? [] }
        a += 1
      }
      if UserIndex(next) == server.owner { wanted = [] }
      if wanted != marked { unmarked.append((UserIndex(next), wanted)) }
    }
  }
}
