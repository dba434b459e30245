public import Dispatch

/// Listening: each delegate and each sequence hears exactly what the manager's user receives, in the events' order. What
/// another process writes and archives (`circlectl events archive`) before it could be told is passed over.
extension CircleManager {
  /// The events that the user receives from now on. Ends when its task is cancelled; many may listen at once.
  ///
  /// - Throws: `CircleStoreError` when the state can't be read.
  public func events() async throws -> AsyncStream<CircleEvent> {
    let (stream, continuation) = AsyncStream<CircleEvent>.makeStream()
    let token = try await store.listen(
      listener { if case .terminated = continuation.yield($0) { false } else { true } })
    let store = store
    continuation.onTermination = { _ in Task { await store.stopListening(token) } }
    return stream
  }

  /// Tells the delegate of the server events that the user receives from now on. It is held weakly.
  ///
  /// - Parameters:
  ///   - delegate: hears them.
  ///   - queue: where its methods are called, a serial one for them to come in order; one of the manager's own when left
  ///     out.
  /// - Throws: `CircleStoreError` when the state can't be read.
  public func add(serverDelegate delegate: some CircleServerDelegate, queue: DispatchQueue? = nil) async throws {
    try await add(delegate, through: Delivery(queue: queue)) { $0.receive($1) }
  }

  /// The same, with its methods called on an executor.
  public func add(serverDelegate delegate: some CircleServerDelegate, executor: any TaskExecutor) async throws {
    try await add(delegate, through: Delivery(executor: executor)) { $0.receive($1) }
  }

  /// The delegate hears nothing more from this user's managers of the store.
  public func remove(serverDelegate delegate: some CircleServerDelegate) async {
    await store.remove(delegate, of: userId, device)
  }

  /// Tells the delegate what the user does on his other devices from now on. It is held weakly; a manager without a
  /// device hears nothing.
  ///
  /// - Parameters:
  ///   - delegate: hears it.
  ///   - queue: where its method is called, a serial one for the calls to come in order; one of the manager's own when
  ///     left out.
  /// - Throws: `CircleStoreError` when the state can't be read.
  public func add(multiDevicesDelegate delegate: some MultiDevicesDelegate, queue: DispatchQueue? = nil) async throws {
    try await add(delegate, through: Delivery(queue: queue)) { $0.receive($1) }
  }

  /// The same, with its method called on an executor.
  public func add(multiDevicesDelegate delegate: some MultiDevicesDelegate, executor: any TaskExecutor) async throws {
    try await add(delegate, through: Delivery(executor: executor)) { $0.receive($1) }
  }

  /// The delegate hears nothing more from this user's managers of the store.
  public func remove(multiDevicesDelegate delegate: some MultiDevicesDelegate) async {
    await store.remove(delegate, of: userId, device)
  }

  private func add<Delegate: AnyObject & Sendable>(
    _ delegate: Delegate, through delivery: Delivery, _ receive: @escaping @Sendable (Delegate, CircleEvent) -> Void
  ) async throws {
    let listener = listener { [weak delegate] event in
      guard delegate != nil else { return false }
      delivery.run { [weak delegate] in
        if let delegate { receive(delegate, event) }
      }
      return true
    }
    try await store.listen(listener, for: delegate)
  }

  private func listener(_ receive: @escaping @Sendable (CircleEvent) -> Bool) -> EventHub.Listener {
    EventHub.Listener(user: userId, device: device, receive: receive)
  }
}

extension MultiDevicesDelegate {
  func receive(_ event: CircleEvent) {
    guard let what = MultiDevicesEvent(event.name) else { return }
    multiDevicesCircleServerEventDidReceive(what, serverId: event.serverId, ext: event.users)
  }
}
