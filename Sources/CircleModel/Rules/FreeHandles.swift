/// Finds handles for servers that are created without one, in the handles of one state.
///
/// Remembers up to which number a slug is taken, so that a thousand servers of one name take a thousand steps.
package struct FreeHandles: Sendable {
  /// By slug, "" for names without one: all smaller numbers are taken.
  private var firstUnknown: [Text: Int] = [:]

  package init() {}

  /// The slug, with `-2`, `-3`… where it is taken; `server-N` with the smallest free N for a name without a slug.
  package mutating func handle(for name: Text, isTaken: (Text) -> Bool) -> Text {
    let slug = HandleSlug.slug(of: name)
    let key = Text(slug ?? "")
    if let slug, !isTaken(Text(slug)) { return Text(slug) }
    var number = firstUnknown[key] ?? (slug == nil ? 1 : 2)
    var handle = HandleSlug.numbered(slug, number)
    while isTaken(handle) {
      number += 1
      handle = HandleSlug.numbered(slug, number)
    }
    firstUnknown[key] = number
    return handle
  }

  /// To be called when a handle becomes free again.
  package mutating func forget() {
    firstUnknown = [:]
  }
}
