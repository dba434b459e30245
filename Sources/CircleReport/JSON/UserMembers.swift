import JSONText

/// The members of users and providers, alike in a document and in a line of its own.
extension JSONWriter {
  mutating func members(of user: UserRow) {
    field("userId", user.userID)
    for field in user.fields {
      key(escaping: field.name)
      string(field.value)
    }
    field("registered", user.isRegistered)
    field("source", user.source.rawValue)
    optional("provider", user.provider)
  }

  mutating func members(of provider: ProviderRow) {
    field("name", provider.name)
    field("kind", provider.kind)
    key(escaping: provider.kind)
    string(provider.source)
    if let timeout = provider.timeout { field("timeout", timeout) }
  }
}
