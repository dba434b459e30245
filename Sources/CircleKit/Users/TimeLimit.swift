import Synchronization

extension Task where Failure == Never {
  /// The value, or nil when the time is over before, or the caller is cancelled; the task goes on all the same.
  func value(within limit: Duration) async -> Success? {
    let first = FirstAnswer<Success>()
    let timer = Task<Void, Never> {
      try? await Task<Never, Never>.sleep(for: limit)
      first.take(nil)
    }
    defer { timer.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        first.wait(continuation)
        Task<Void, Never> { first.take(await self.value) }
      }
    } onCancel: {
      first.take(nil)
    }
  }
}

/// The first of several answers goes to the one who waits, whichever comes first, he or the answer.
private final class FirstAnswer<Value: Sendable>: Sendable {
  private enum State {
    case open
    case waiting(CheckedContinuation<Value?, Never>)
    case early(Value?)
    case done
  }

  private let state = Mutex(State.open)

  func wait(_ continuation: CheckedContinuation<Value?, Never>) {
    let early: Value?? = state.withLock { state in
      if case .early(let answer) = state {
        state = .done
        return answer
      }
      state = .waiting(continuation)
      return nil
    }
    if let early { continuation.resume(returning: early) }
  }

  func take(_ answer: Value?) {
    let waiting: CheckedContinuation<Value?, Never>? = state.withLock { state in
      switch state {
      case .open:
        state = .early(answer)
        return nil
      case .waiting(let continuation):
        state = .done
        return continuation
      case .early, .done:
        return nil
      }
    }
    waiting?.resume(returning: answer)
  }
}
