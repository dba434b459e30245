import CircleModel
import CircleState
import JSONText

/// The report's events as CloudEvents 1.0 in their JSON form, one a line; nothing where there are none.
///
/// `source` is the server and `id` the event's number: a server's id is drawn once and its state counts on, so that both
/// together name an event for ever.
struct CloudEventsRenderer: Renderer {
  func render(_ report: borrowing Report, to sink: inout ByteSink) throws(RenderError) {
    for section in report.sections {
      guard case .events(let events) = section else { continue }
      try write(events, to: &sink)
    }
  }

  private func write(_ events: EventsSection, to sink: inout ByteSink) throws(RenderError) {
    var encoder = EventEncoder()
    var data = ByteBuffer()
    try events.forEach { (event, names, users) throws(OutputError) in
      data.removeAll()
      encoder.append(event, names, users: users, to: &data)
      append(event, data, to: &sink.buffer)
      try sink.drain()
    }
  }

  private func append(_ event: LoggedEvent, _ data: borrowing ByteBuffer, to buffer: inout ByteBuffer) {
    let server = String(decoding: event.serverID, as: UTF8.self)
    buffer.append(#"{"specversion":"1.0","id":""#)
    buffer.append(decimal: Int(event.seq))
    buffer.append(#"","source":"/circlectl/servers/"#)
    buffer.append(utf8: percentEncoded(server))
    buffer.append(#"","type":"circlectl."#)
    buffer.append(event.name.word)
    buffer.append(#"","time":"#)
    buffer.append(jsonTime: event.time)
    if !event.handle.isEmpty {
      buffer.append(#","subject":"#)
      buffer.append(jsonIdentifier: event.handle)
    }
    buffer.append(#","datacontenttype":"application/json","data":"#)
    buffer.append(bytes: data)
    buffer.append("}\n")
  }
}
