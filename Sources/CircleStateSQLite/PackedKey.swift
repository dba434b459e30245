import CircleState

/// A key of one or two numbers as the one integer that SQLite orders rows by.
///
/// Parts beyond a key's limit give an integer that no row has, so that a search for them finds nothing.
enum PackedKey {
  static func pack(_ key: RowKey, arity: Int) -> Int64 {
    arity == 1 ? Int64(key.a) : Int64(clamping: UInt64(key.a) << 32 | UInt64(key.b))
  }

  /// Nil for an integer that no row's key gives.
  static func unpack(_ packed: Int64, arity: Int) -> RowKey? {
    let limit = Int64(RowKey.last.a)
    let (a, b) = arity == 1 ? (packed, 0) : (packed >> 32, packed & 0xFFFF_FFFF)
    guard 0...limit ~= a, b <= limit else { return nil }
    return RowKey(UInt32(truncatingIfNeeded: a), UInt32(truncatingIfNeeded: b))
  }

  /// The least packed key that is not below `key`, whose unused parts need not be 0.
  static func lowest(from key: RowKey, arity: Int) -> Int64 {
    let packed = pack(key, arity: arity)
    let isBeyond = arity == 1 ? key.b > 0 || key.c > 0 : key.c > 0
    return isBeyond && packed < Int64.max ? packed + 1 : packed
  }
}
