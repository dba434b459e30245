import CMalloc

/// The heap of a run that will hold hundreds of megabytes: one region that only grows.
///
/// By default the allocator asks the system for each big block and gives it back when it is freed, so that the next one
/// is touched for the first time again. Asked of the allocator only once the input shows that it pays.
///
/// Not in huge pages: on a virtual machine whose host has not given it the memory yet, one costs up to five times as
/// much as the small pages in its place, which are mostly those that another process has just left.
enum BigHeap {
  /// Bytes of input from which it pays.
  private static let smallestBigInput = 4 << 20
  /// How much the region grows at a time; only what is touched takes memory.
  private static let step = 8 << 20

  /// - Parameter input: bytes of an input that is about to be read.
  static func prepare(for input: Int) {
    if input >= smallestBigInput { _ = isPrepared }
  }

  private static let isPrepared: Bool =
    mallopt(M_MMAP_MAX, 0) != 0 && mallopt(M_TRIM_THRESHOLD, CInt.max) != 0 && mallopt(M_TOP_PAD, CInt(step)) != 0
}
