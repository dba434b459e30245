package import CircleModel
package import Digest

/// What a run says of itself before it writes.
package struct RunRequest: Sendable {
  package var kind: RunKind
  /// The command as its user knows it, such as `apply` or `server release`.
  package var command: String
  package var stack: Text?
  /// `--reason`.
  package var reason: String?
  /// The ceiling of removals in force, as written: `30%` or `120`.
  package var maxRemovals: String?
  /// `--allow`, as written.
  package var allowances: [String]
  /// `--device`: on which of his devices the acting user acted.
  package var device: Text?
  /// Who wrote, for people; not covered by the hash, so that all stores give the same bytes.
  package var writer: Writer

  package struct Writer: Equatable, Sendable {
    package var host: String
    package var process: Int32
    package var version: String

    package init(host: String, process: Int32, version: String) {
      self.host = host
      self.process = process
      self.version = version
    }
  }

  package init(
    kind: RunKind, command: String, stack: Text? = nil, reason: String? = nil, maxRemovals: String? = nil,
    allowances: [String] = [], device: Text? = nil, writer: Writer
  ) {
    self.kind = kind
    self.command = command
    self.stack = stack
    self.reason = reason
    self.maxRemovals = maxRemovals
    self.allowances = allowances
    self.device = device
    self.writer = writer
  }
}

/// A history entry: one run that wrote.
package struct Run: Sendable {
  package var number: UInt32
  package var request: RunRequest
  /// Unix milliseconds, UTC.
  package var time: Int64
  /// The number of its first event, or of the next one when it has none.
  package var firstSeq: Int64
  package var eventCount: Int
  package var recordCount: Int
  /// Blocks of its log.
  package var blockCount: UInt32
  /// Records of each kind, in the order of the kinds; none that is 0.
  package var counts: [(kind: OperationKind, count: Int)]
  /// Of a run that cut the log: the digest of its checkpoint, which the hash thereby covers.
  package var checkpoint: SHA256.Digest?
  /// The previous run's hash; zero for the first.
  package var previous: SHA256.Digest
  /// SHA-256 over `previous`, what this run says of itself, and its blocks in order.
  package var hash: SHA256.Digest

  /// What the hash covers before the blocks: all but the writer.
  var canonicalHead: [UInt8] {
    var writer = PackedWriter()
    writer.byte(1)
    writer.raw(previous.bytes)
    writer.number(number)
    writer.byte(request.kind.rawValue)
    writer.text(request.command)
    writer.optional(request.stack)
    writer.optional(request.reason.map { Text($0) })
    writer.optional(request.maxRemovals.map { Text($0) })
    writer.texts(request.allowances.map { Text($0) })
    writer.optional(request.device)
    writer.signed(time)
    if let checkpoint { writer.raw(checkpoint.bytes) }
    return writer.bytes
  }

  /// What the hash covers after the blocks.
  var canonicalTail: [UInt8] {
    var writer = PackedWriter()
    writer.signed(firstSeq)
    writer.count(eventCount)
    writer.count(recordCount)
    writer.number(blockCount)
    writer.count(counts.count)
    for entry in counts {
      writer.byte(entry.kind.rawValue)
      writer.count(entry.count)
    }
    return writer.bytes
  }

  var row: [UInt8] {
    var writer = PackedWriter()
    writer.raw(hash.bytes)
    let head = canonicalHead
    writer.count(head.count)
    writer.raw(head)
    writer.raw(canonicalTail)
    writer.text(request.writer.host)
    writer.signed(Int64(request.writer.process))
    writer.text(request.writer.version)
    return Seal.sealed(writer.bytes)
  }

  /// - Parameter checkpoint: of a run that cuts the log, and of no other.
  init(
    number: UInt32, request: RunRequest, time: Int64, firstSeq: Int64, previous: SHA256.Digest,
    checkpoint: SHA256.Digest? = nil
  ) {
    self.checkpoint = checkpoint
    self.number = number
    self.request = request
    self.time = time
    self.firstSeq = firstSeq
    self.previous = previous
    eventCount = 0
    recordCount = 0
    blockCount = 0
    counts = []
    hash = .zero
  }

  /// - Parameter number: under which the row is stored; what is wrong with it is told with that.
  init(_ row: UnsafeRawBufferPointer, number: UInt32) throws(StateError) {
    do throws(StateError) {
      try self.init(row)
    } catch .damaged(let what) {
      throw .damaged("run \(number): \(what)")
    }
  }

  private init(_ row: UnsafeRawBufferPointer) throws(StateError) {
    var reader = PackedReader(try Seal.opened(row))
    hash = try reader.digest()
    _ = try reader.count()
    guard try reader.byte() == 1 else { throw PackedReader.damaged }
    previous = try reader.digest()
    number = try reader.small()
    guard number <= RowKey.last.a, let kind = RunKind(rawValue: try reader.byte()) else { throw PackedReader.damaged }
    let command = try reader.textValue().string
    let stack = try reader.optional()
    let reason = try reader.optional()?.string
    let maxRemovals = try reader.optional()?.string
    let allowances = try reader.texts().map(\.string)
    let device = try reader.optional()
    time = try reader.signed()
    checkpoint = kind == .archive ? try reader.digest() : nil
    firstSeq = try reader.serial()
    eventCount = try reader.amount()
    recordCount = try reader.amount()
    blockCount = try reader.small()
    counts = []
    for _ in 0..<(try reader.count()) {
      guard let kind = OperationKind(rawValue: try reader.byte()) else { throw PackedReader.damaged }
      counts.append((kind, try reader.amount()))
    }
    let host = try reader.textValue().string
    let process = Int32(truncatingIfNeeded: try reader.signed())
    let version = try reader.textValue().string
    guard reader.isAtEnd else { throw PackedReader.damaged }
    request = RunRequest(
      kind: kind, command: command, stack: stack, reason: reason, maxRemovals: maxRemovals, allowances: allowances,
      device: device, writer: .init(host: host, process: process, version: version))
  }
}
