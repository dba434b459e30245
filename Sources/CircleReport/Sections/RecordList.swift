/// Things of one kind, told in the same columns: the servers of a list, the members of a server, one user.
package struct RecordList: Sendable {
  package enum Value: Equatable, Sendable {
    case none
    case text(String)
    case number(Int)
    case flag(Bool)
    /// Unix milliseconds, UTC; 0 is none.
    case time(Int64)
    case texts([String])
  }

  package struct Column: Sendable {
    /// In JSON.
    package let key: StaticString
    /// As people read it, over the column; nil where the text leaves the column out.
    package let heading: String?
    /// To how many columns a table cuts its texts; nil for what a person copies, such as handles, ids and tags.
    package let widest: Int?

    package init(_ key: StaticString, _ heading: String?, widest: Int? = nil) {
      self.key = key
      self.heading = heading
      self.widest = widest
    }
  }

  /// How wide names and sentences are in a table.
  package static let freeText = 48
  /// Likewise for values of any kind: every handle, id and tag has room.
  package static let anyValue = 64

  /// What text makes of it.
  package enum Form: Sendable {
    /// A line each under a line of headings.
    case table
    /// A heading and its value a line; what is not set is left out.
    case details
    /// A line each without headings, and what the last column holds below it, each on a line of its own.
    case findings
    /// Nothing: people are told elsewhere.
    case unshown
  }

  /// What one of them is called, in NDJSON, such as `member`.
  package var type: String
  /// What they are called together, the key in JSON, such as `members`.
  package var key: StaticString
  package var columns: [Column]
  /// One value a column each.
  package var rows: [[Value]]
  package var form: Form
  /// Where the list goes on.
  package var next: String?

  package init(
    _ type: String, _ key: StaticString, _ columns: [Column], rows: [[Value]], form: Form = .table, next: String? = nil
  ) {
    self.type = type
    self.key = key
    self.columns = columns
    self.rows = rows
    self.form = form
    self.next = next
  }
}

extension RecordList.Value {
  /// A text where there is one.
  package init(_ text: String?) {
    self = text.map { .text($0) } ?? .none
  }

  /// Whether there is nothing to tell.
  var isEmpty: Bool {
    switch self {
    case .none: true
    case .text(let text): text.isEmpty
    case .time(let time): time == 0
    case .texts(let texts): texts.isEmpty
    case .number, .flag: false
    }
  }
}
