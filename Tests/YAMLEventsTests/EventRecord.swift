@testable import YAMLEvents

/// All that a stream or a reader tells of an event.
struct EventRecord: Equatable {
  var kind: YAMLEventReader.Kind
  var isPlain: Bool
  var place: [Int]
  var scalar: [UInt8]
  var anchor: String?
  var tag: String?
}

/// All events of a text up to its end or fault.
struct EventRecords: Equatable {
  var events: [EventRecord] = []
  var fault: YAMLFault?

  static func reader(_ bytes: [UInt8], maximumDepth: Int = 64) -> EventRecords {
    var reader = YAMLEventReader(bytes: bytes, maximumDepth: maximumDepth)
    var records = EventRecords()
    do throws(YAMLFault) {
      while true {
        let kind = try reader.next()
        records.events.append(
          EventRecord(
            kind: kind, isPlain: reader.isPlain,
            place: [reader.line, reader.column, reader.endLine, reader.endColumn],
            scalar: Array(reader.scalarBytes), anchor: reader.anchor, tag: reader.tag))
        if kind == .streamEnd { return records }
      }
    } catch {
      records.fault = error
      return records
    }
  }

  /// - Parameter plain: Is set to how many of the events came without libyaml.
  static func stream(_ bytes: [UInt8], maximumDepth: Int = 64, plain: inout Int) -> EventRecords {
    var stream = YAMLEventStream(bytes: bytes, maximumDepth: maximumDepth)
    var records = EventRecords()
    plain = 0
    do throws(YAMLFault) {
      while true {
        let kind = try stream.next()
        plain += stream.isFromPlainScanner ? 1 : 0
        records.events.append(
          EventRecord(
            kind: kind, isPlain: stream.isPlain,
            place: [stream.line, stream.column, stream.endLine, stream.endColumn],
            scalar: stream.withScalar { Array($0) }, anchor: stream.anchor, tag: stream.tag))
        if kind == .streamEnd { return records }
      }
    } catch {
      records.fault = error
      return records
    }
  }
}
