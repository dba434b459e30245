@testable import YAMLEvents

/// All that is told of an event.
private struct EventRecord: Equatable {
  var kind: YAMLEventReader.Kind
  var isPlain: Bool
  var place: [Int]
  var scalar: [UInt8]
  var anchor: String?
  var tag: String?
}

/// All events of a text up to its end or fault.
private struct EventRecords: Equatable {
  var events: [EventRecord] = []
  var fault: YAMLFault?

  /// By libyaml alone.
  init(libyaml bytes: [UInt8], maximumDepth: Int) {
    var reader = YAMLEventReader(bytes: bytes, maximumDepth: maximumDepth)
    do throws(YAMLFault) {
      while true {
        let kind = try reader.next()
        events.append(
          EventRecord(
            kind: kind, isPlain: reader.isPlain, place: [reader.line, reader.column, reader.endLine, reader.endColumn],
            scalar: Array(reader.scalarBytes), anchor: reader.anchor, tag: reader.tag))
        if kind == .streamEnd { return }
      }
    } catch {
      fault = error
    }
  }

  /// As manifests are read: by our own scanner as far as the text is plain.
  init(stream bytes: [UInt8], maximumDepth: Int) {
    var stream = YAMLEventStream(bytes: bytes, maximumDepth: maximumDepth)
    do throws(YAMLFault) {
      while true {
        let kind = try stream.next()
        events.append(
          EventRecord(
            kind: kind, isPlain: stream.isPlain, place: [stream.line, stream.column, stream.endLine, stream.endColumn],
            scalar: stream.withScalar { Array($0) }, anchor: stream.anchor, tag: stream.tag))
        if kind == .streamEnd { return }
      }
    } catch {
      fault = error
    }
  }
}

extension FuzzTarget {
  /// Our scanner against libyaml: the same events with the same places, the same fault.
  static let yaml = FuzzTarget(name: "yaml") { bytes in
    for depth in [3, 64] {
      try holdEqual(
        EventRecords(stream: bytes, maximumDepth: depth), EventRecords(libyaml: bytes, maximumDepth: depth),
        "the scanner reads it otherwise than libyaml")
    }
  }
}
