import CircleModel
import Diagnostics

extension Place {
  /// The same line and column in another file.
  func inFile(_ file: FileIndex) -> Place {
    isKnown ? Place(file: file, line: line, column: column) : self
  }
}

extension Plan {
  /// Gives each place of the records and notes, and of the changes with them, another one.
  mutating func mapPlaces(_ map: (Place) -> Place) {
    for position in outcome.records.indices {
      outcome.records[position].place = map(outcome.records[position].place)
      guard let detail = outcome.detail(of: outcome.records[position]) else { continue }
      let index = Int(outcome.records[position].detail)
      switch detail {
      case .updated(let changes, let places, let attributes):
        outcome.details[index] = .updated(changes, places: places.map(map), attributes: attributes)
      case .tags(let tags, let places): outcome.details[index] = .tags(tags, places: places.map(map))
      case .profile(let changes, let places): outcome.details[index] = .profile(changes, places: places.map(map))
      case .removed(var members):
        for member in members.indices { members[member].place = map(members[member].place) }
        outcome.details[index] = .removed(members)
      default: break
      }
    }
    for position in changes.indices { changes[position].place = map(changes[position].place) }
    for position in notes.indices { notes[position].place = map(notes[position].place) }
  }
}
