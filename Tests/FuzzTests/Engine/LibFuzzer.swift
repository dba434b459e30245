import Glibc

// The program that libFuzzer runs: `CIRCLE_FUZZ` names the target. Built by `make fuzz` alone.

private let target: FuzzTarget = {
  let name = getenv("CIRCLE_FUZZ").map { String(cString: $0) } ?? ""
  guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
    print("CIRCLE_FUZZ names one of: \(FuzzTarget.all.map(\.name).joined(separator: ", "))")
    exit(64)
  }
  return target
}()

/// Called by libFuzzer for each input; a property that does not hold is a crash to it.
@c(LLVMFuzzerTestOneInput)
public func fuzzOne(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  do {
    try target.check(Array(UnsafeBufferPointer(start: bytes, count: count)))
  } catch {
    fatalError("\(error)")
  }
  return 0
}
