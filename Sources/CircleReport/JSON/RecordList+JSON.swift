import JSONText

extension JSONWriter {
  /// The values of one row; what is not set is left out.
  mutating func members(of row: [RecordList.Value], _ columns: [RecordList.Column]) {
    for (column, value) in zip(columns, row) {
      switch value {
      case .none: break
      case .text(let text): field(column.key, text)
      case .number(let number): field(column.key, number)
      case .flag(let flag): field(column.key, flag)
      case .time(let time): if time != 0 { field(column.key, time: time) }
      case .texts(let texts):
        key(column.key)
        array { for text in texts { $0.string(text) } }
      }
    }
  }
}
