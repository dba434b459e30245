/// Texts, each once: a handful, as a server has tags and a user has devices, is looked through, and only more are hashed.
struct DistinctTexts {
  private static let few = 16

  private var texts: [Text] = []
  private var hashed: Set<Text> = []

  /// - Parameter more: how many are about to come.
  init(_ texts: some Collection<Text> = EmptyCollection(), more: Int = 0) {
    self.texts.reserveCapacity(min(texts.count + more, Self.few + 1))
    for text in texts { insert(text) }
  }

  var count: Int { hashed.isEmpty ? texts.count : hashed.count }

  /// - Returns: whether the text is new.
  @discardableResult
  mutating func insert(_ text: Text) -> Bool {
    guard hashed.isEmpty else { return hashed.insert(text).inserted }
    guard !texts.contains(text) else { return false }
    texts.append(text)
    if texts.count > Self.few { hashed = Set(texts) }
    return true
  }
}
