import CircleState
import Glibc
import JSONText

/// Dumps and archives on their way between a state and a file.
extension CommandRun {
  /// Runs what writes a dump or an archive, piece by piece, until a signal comes.
  ///
  /// - Parameters:
  ///   - take: gets the pieces.
  ///   - body: writes; what it is given empties its buffer.
  func writingPieces<R>(
    to take: (UnsafeRawBufferPointer) throws(Failure) -> Void,
    _ body: ((inout ByteBuffer) throws(StateError) -> Void) throws(StateError) -> R
  ) throws(Failure) -> R {
    try withoutActuallyEscaping(take) { (take) throws(Failure) in
      var failure: Failure?
      do throws(StateError) {
        return try body { (buffer) throws(StateError) in
          do throws(Failure) {
            try checkInterrupted()
            try buffer.drain(atLeast: 1, into: take)
          } catch {
            failure = error
            throw .io("")
          }
        }
      } catch {
        throw failure ?? Failure(error, location: options.state.path)
      }
    }
  }

  /// Runs what reads a dump or an archive, piece by piece, until a signal comes.
  ///
  /// - Parameters:
  ///   - what: what is read, in a word.
  ///   - wayBack: what helps where it is not as it was written.
  ///   - refusal: of errors of the state that have words of their own.
  ///   - body: reads; what it is given gives the next bytes, none at the end.
  func readingPieces<R>(
    of path: String, _ what: String, from descriptor: CInt, wayBack: String,
    refusal: (StateError) -> Failure? = { _ in nil },
    _ body: (() throws(StateError) -> [UInt8]) throws(RestoreError) -> R
  ) throws(Failure) -> R {
    var failure: Failure?
    do throws(RestoreError) {
      return try body { () throws(StateError) in
        func stopIfInterrupted() throws(StateError) {
          let signal = interruption.arrived()
          guard signal == 0 else { throw .interrupted(signal: signal) }
        }
        var piece = [UInt8](repeating: 0, count: 256 << 10)
        var (count, fault) = (0, CInt(0))
        repeat {
          try stopIfInterrupted()
          count = read(descriptor, &piece, piece.count)
          fault = errno
        } while count < 0 && fault == EINTR
        // A signal may end the input too, where it ends whoever writes it.
        try stopIfInterrupted()
        guard count >= 0 else {
          failure = Self.cannotRead(what, path, String(cString: strerror(fault)))
          throw .io("")
        }
        return Array(piece[..<count])
      }
    } catch {
      if let failure { throw failure }
      switch error {
      case .state(let error): throw refusal(error) ?? Failure(error, location: options.state.path)
      case .dump(let fault): throw Failure(.badInput, "\(path):\(fault.line): \(fault.sentence)", next: [wayBack])
      }
    }
  }

  static func cannotRead(_ what: String, _ path: String, _ reason: String) -> Failure {
    Failure(.badInput, "can't read the \(what) '\(path)': \(reason)")
  }
}
