/// A value that is not freed before the process ends.
///
/// The end of the process frees all memory at once; giving back a plan of a million memberships piece by piece just
/// before takes a tenth of the run.
private final class Kept<Value> {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}

func keepUntilExit(_ value: some Any) {
  _ = Unmanaged.passRetained(Kept(value))
}
