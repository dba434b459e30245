import Glibc

/// Batches on their way from the thread that reads YAML to the one that uses it.
///
/// Both threads touch the queue, and a batch belongs to one of them at a time; all of it is under the mutex.
final class EventQueue {
  /// Batches read and not yet used; the reading thread waits when there are so many.
  private static let capacity = 4

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var ready: [EventBatch] = []
  private var used: [EventBatch] = []
  private var isCancelled = false

  init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// A batch to fill; nil when nobody wants more.
  func emptyBatch() -> EventBatch? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while ready.count >= Self.capacity, !isCancelled { pthread_cond_wait(changed, mutex) }
    if isCancelled { return nil }
    return used.popLast() ?? EventBatch()
  }

  func put(_ batch: EventBatch) {
    pthread_mutex_lock(mutex)
    ready.append(batch)
    pthread_cond_signal(changed)
    pthread_mutex_unlock(mutex)
  }

  /// The next batch, in exchange for one that is done with.
  func next(inExchangeFor batch: EventBatch?) -> EventBatch {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    if let batch { used.append(batch) }
    while ready.isEmpty { pthread_cond_wait(changed, mutex) }
    let next = ready.removeFirst()
    pthread_cond_signal(changed)
    return next
  }

  func cancel() {
    pthread_mutex_lock(mutex)
    isCancelled = true
    pthread_cond_signal(changed)
    pthread_mutex_unlock(mutex)
  }
}
