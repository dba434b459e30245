import CMalloc
import Glibc

/// The heap of a run that will hold hundreds of megabytes: one region in huge pages.
///
/// Touching and giving back memory by pages of 4 KiB takes a tenth of such a run. Asked of the allocator only once the
/// input shows that it pays, since a huge page costs more than a small run ever touches.
enum BigHeap {
  /// Bytes of input from which it pays.
  private static let smallestBigInput = 4 << 20
  /// How much is reserved at a time; only what is touched takes memory.
  private static let region = 1 << 30
  private static let hugePage = 2 << 20

  /// - Parameter input: bytes of an input that is about to be read.
  static func prepare(for input: Int) {
    if input >= smallestBigInput { _ = isPrepared }
  }

  private static let isPrepared: Bool = {
    // All from one region, made at once and growing in small steps after that. Where the address space does not hold
    // it (`ulimit -v`), the allocator goes back to what it does by default.
    mallopt(M_MMAP_MAX, 0)
    mallopt(M_TOP_PAD, CInt(region))
    let probe = malloc(hugePage)
    mallopt(M_TOP_PAD, CInt(hugePage))
    guard let probe else {
      mallopt(M_MMAP_MAX, 65_536)
      return false
    }
    free(probe)
    guard let end = sbrk(0) else { return false }
    let last = UInt(bitPattern: end) & ~UInt(hugePage - 1)
    let first = last - UInt(region) + UInt(hugePage)
    // Where the system has no huge pages this does nothing.
    guard let start = UnsafeMutableRawPointer(bitPattern: first) else { return false }
    return madvise(start, Int(last - first), MADV_HUGEPAGE) == 0
  }()
}
