import CircleModel
import Diagnostics
import YAMLEvents

extension ManifestDecoder {
  mutating func decodeUsers() throws(YAMLFault) {
    guard try isMapping("'users'") else { return }
    draft.mappings += 1
    let mapping = draft.mappings
    try eachEntry { (decoder, isMerged) throws(YAMLFault) in
      decoder.draft.entries += 1
      let user = decoder.internUser()
      let place = decoder.source.place
      guard let user else {
        decoder.reportInvalidUser()
        try decoder.source.advance()
        var scratch = DesiredUser(.none, at: place)
        return try decoder.decodeUser(into: &scratch)
      }
      let mark = decoder.draft.userMarks[user.position]
      if mark.mapping == mapping {
        if !isMerged {
          let first = decoder.draft.users[Int(mark.entry) - 1].place
          // As it is written here, which may be in letters of another case.
          let id = decoder.source.withText { String(decoding: $0, as: UTF8.self) }
          decoder.reportDuplicateKey(id, first: first)
        }
        return try decoder.skipNext()
      }
      decoder.draft.userMarks[user.position].mapping = mapping
      if mark.entry == 0 { decoder.draft.register(user, spelling: decoder.source) }
      decoder.owner = .user(user)
      try decoder.source.advance()
      var entry = DesiredUser(user, at: place)
      try decoder.decodeUser(into: &entry)
      decoder.owner = .file
      decoder.add(entry)
    }
  }

  private mutating func add(_ entry: DesiredUser) {
    let known = draft.userMarks[entry.user.position].entry
    if known == 0 {
      draft.users.append(entry)
      draft.userMarks[entry.user.position].entry = UInt32(draft.users.count)
      return
    }
    // The same user in another mapping, perhaps of another file: each may give fields of its own.
    let index = Int(known) - 1
    for field in entry.fields {
      if let first = draft.users[index].fields.first(where: { $0.field == field.field }) {
        reportDuplicateField(field.field.word, of: entry.user, at: field.place, first: first.place)
      } else {
        let position = draft.users[index].fields.firstIndex { $0.field.rawValue > field.field.rawValue }
        draft.users[index].fields.insert(field, at: position ?? draft.users[index].fields.count)
      }
    }
    if let devices = entry.devices {
      if let first = draft.users[index].devices {
        reportDuplicateField("devices", of: entry.user, at: devices.place, first: first.place)
      } else {
        draft.users[index].devices = devices
      }
    }
  }

  private mutating func reportDuplicateField(_ field: String, of user: UserIndex, at place: Place, first: Place) {
    report(
      .duplicateField, "'\(field)' of user '\(draft.names[user])' is given twice", at: place,
      notes: [Diagnostic.Note("first given here", at: first)])
  }

  private mutating func decodeUser(into user: inout DesiredUser) throws(YAMLFault) {
    guard try isMapping("the entry") else { return }
    // Most have one or two.
    user.fields.reserveCapacity(2)
    var seen = SeenKeys()
    try eachKey(UserKey.self, &seen) { (decoder, key, keyPlace) throws(YAMLFault) in
      guard let field = UserField(rawValue: key.rawValue) else {
        if let devices = try decoder.decodeTexts(key.word, .device) {
          user.devices = Given(devices.map(\.value), at: keyPlace)
        }
        return
      }
      let place = decoder.source.place
      let text =
        switch field {
        case .ext, .serverExt, .userInfoExt: try decoder.decodeExt(key.word, .of(field))
        default: try decoder.decodeText(key.word, .of(field))
        }
      switch text {
      case .text(let value): user.fields.append(DesiredField(field, value, at: place))
      case .cleared: user.fields.append(DesiredField(field, nil, at: place))
      case .invalid: break
      }
    }
    let isOrdered = zip(user.fields, user.fields.dropFirst()).allSatisfy { $0.field.rawValue < $1.field.rawValue }
    if !isOrdered { user.fields.sort { $0.field.rawValue < $1.field.rawValue } }
  }
}

extension ManifestDraft {
  /// Shows the user from now on as his first entry in `users` spells him.
  mutating func register(_ user: UserIndex, spelling source: borrowing NodeSource) {
    source.withText { text in
      let isSame = names.withSpelling(of: user) { $0.elementsEqual(text) }
      if !isSame { names.respell(user, text) }
    }
  }
}
