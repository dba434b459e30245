/// Sorts whole words: a million memberships by (user, server) in a few milliseconds.
func radixSort(_ words: inout ContiguousArray<UInt64>) {
  guard words.count > 256 else {
    words.sort()
    return
  }
  var other = words
  let varying = words.reduce(0) { $0 | ($1 ^ words[0]) }
  for shift in stride(from: 0, to: 64, by: 16) where varying >> UInt64(shift) & 0xFFFF != 0 {
    var starts = ContiguousArray<Int>(repeating: 0, count: 0x1_0000)
    for word in words { starts[Int(word >> UInt64(shift) & 0xFFFF)] += 1 }
    var sum = 0
    for digit in starts.indices { (starts[digit], sum) = (sum, sum + starts[digit]) }
    for word in words {
      let digit = Int(word >> UInt64(shift) & 0xFFFF)
      other[starts[digit]] = word
      starts[digit] += 1
    }
    swap(&words, &other)
  }
}
