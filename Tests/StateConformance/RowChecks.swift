import CircleState

extension StateCheck {
  static let rowChecks = [
    StateCheck("a new state is empty") { (bench) throws(StateError) in
      let rows = try bench.open()
      for table in StateTable.allCases {
        bench.expect(try rows.keys(table), [], "keys of \(table)")
        bench.expect(try rows.bytes(table, RowKey(0)), nil, "a row of \(table)")
        bench.expect(try rows.lastKey(table, from: .first, through: .last), nil, "the last row of \(table)")
      }
      bench.expect(try rows.lock(), nil, "the lock")
      bench.expect(try rows.checkStore(), [], "the store's own check")
    },
    StateCheck("a row is found, replaced and removed in each table") { (bench) throws(StateError) in
      let rows = try bench.open()
      for table in StateTable.allCases {
        let key = Self.key(table, 7, 8, 9)
        try rows.write { () throws(StateError) in try rows.put(table, key, bytes: [1, 2, 3]) }
        bench.expect(try rows.bytes(table, key), [1, 2, 3], "the row of \(table)")
        try rows.write { () throws(StateError) in try rows.put(table, key, bytes: [4]) }
        bench.expect(try rows.bytes(table, key), [4], "the replaced row of \(table)")
        bench.expect(try rows.keys(table), [key], "keys of \(table)")
        try rows.write { () throws(StateError) in
          try rows.remove(table, key)
          try rows.remove(table, key)
        }
        bench.expect(try rows.bytes(table, key), nil, "the removed row of \(table)")
      }
    },
    StateCheck("what was just put is read, replaced and removed within the transaction") { (bench) throws(StateError) in
      let rows = try bench.open()
      var expected: [RowKey: [UInt8]] = [:]
      var names: [[UInt8]: UInt32] = [:]
      var random: UInt32 = 1
      func next(_ bound: UInt32) -> UInt32 {
        random = random &* 1_664_525 &+ 1_013_904_223
        return (random >> 8) % bound
      }
      // Stores may hold back small rows and put several at once; long ones, and what is asked for between, keep the order.
      try rows.write { () throws(StateError) in
        for step in 0..<2000 as Range<UInt32> {
          let key = RowKey(next(60))
          let name = [UInt8]("name\(next(60))".utf8)
          switch next(20) {
          case 0:
            try rows.remove(.servers, key)
            expected[key] = nil
          case 1:
            try rows.removeName(name, in: .handles)
            names[name] = nil
          case 2: bench.expect(try rows.bytes(.servers, key), expected[key], "the row of \(key) in step \(step)")
          case 3: bench.expect(try rows.number(of: name, in: .handles), names[name], "a name in step \(step)")
          case 4: bench.expect(try rows.keys(.servers), expected.keys.sorted(), "the keys in step \(step)")
          case 5...10:
            try rows.putName(name, step, in: .handles)
            names[name] = step
          default:
            let value = [UInt8](repeating: UInt8(truncatingIfNeeded: step), count: next(10) == 0 ? 9000 : Int(next(40)))
            try rows.put(.servers, key, bytes: value)
            expected[key] = value
          }
        }
      }
      let reader = try bench.open()
      bench.expect(try reader.keys(.servers), expected.keys.sorted(), "the keys in the end")
      for (key, value) in expected { bench.expect(try reader.bytes(.servers, key), value, "the row of \(key)") }
      for (name, number) in names { bench.expect(try reader.number(of: name, in: .handles), number, "a name's number") }
      try rows.begin(writing: true, timeout: 1000)
      try rows.put(.servers, RowKey(99), bytes: [1])
      try rows.putName([1], 99, in: .handles)
      rows.rollback()
      try rows.write { () throws(StateError) in try rows.put(.servers, RowKey(98), bytes: [1]) }
      bench.expect(try reader.bytes(.servers, RowKey(99)), nil, "a row that was rolled back before it was written")
      bench.expect(try reader.number(of: [1], in: .handles), nil, "a name that was rolled back before it was written")
    },
    StateCheck("rows come in the order of their keys, up to the largest") { (bench) throws(StateError) in
      let rows = try bench.open()
      for table in StateTable.allCases {
        let parts: [UInt32] = [0, 1, 255, 256, 65_536, 0x7FFF_FFFE, 0x7FFF_FFFF]
        var keys = Set<RowKey>()
        for a in parts {
          for b in parts {
            for c: UInt32 in [0, 3, 0x7FFF_FFFF] { keys.insert(Self.key(table, a, b, c)) }
          }
        }
        // A set's order differs from run to run.
        try rows.write { () throws(StateError) in
          for key in keys { try rows.put(table, key, bytes: [UInt8(truncatingIfNeeded: key.a)]) }
        }
        let sorted = keys.sorted()
        bench.expect(try rows.keys(table), sorted, "keys of \(table)")
        for from in sorted.prefix(40) {
          let through = sorted[min(sorted.count - 1, 50)]
          let expected = sorted.filter { $0 >= from && $0 <= through }
          bench.expect(try rows.keys(table, from: from, through: through), expected, "\(table) from \(from)")
          bench.expect(
            try rows.lastKey(table, from: from, through: through), expected.last, "last of \(table) from \(from)")
        }
        bench.expect(try rows.keys(table, from: .last, through: .first), [], "\(table) from the end to the start")
        bench.expect(try rows.lastKey(table, from: .last, through: .first), nil, "last of \(table), the same")
      }
    },
    StateCheck("the ends of a range need not be rows, nor keys of the table") { (bench) throws(StateError) in
      let rows = try bench.open()
      try rows.write { () throws(StateError) in
        for a: UInt32 in 1...5 {
          try rows.put(.users, RowKey(a), bytes: [])
          for b: UInt32 in 1...5 { try rows.put(.members, RowKey(a, b), bytes: []) }
        }
      }
      bench.expect(
        try rows.keys(.users, from: RowKey(2, 1), through: RowKey(4, 9)), [RowKey(3), RowKey(4)], "users 2.1 to 4.9")
      bench.expect(
        try rows.keys(.members, from: RowKey(2, 4, 1), through: RowKey(3, 1, 7)),
        [RowKey(2, 5), RowKey(3, 1)], "members 2.4.1 to 3.1.7")
      bench.expect(
        try rows.lastKey(.members, from: RowKey(2, 0), through: RowKey(2, 0x7FFF_FFFF)), RowKey(2, 5), "last of 2")
      bench.expect(
        try rows.lastKey(.members, from: RowKey(6, 0), through: .last), nil, "last of 6, which has none")
      let beyond = RowKey(UInt32.max, UInt32.max, UInt32.max)
      bench.expect(try rows.keys(.users, from: beyond, through: beyond), [], "users beyond all keys")
      bench.expect(try rows.keys(.members, from: beyond, through: beyond), [], "members beyond all keys")
      bench.expect(try rows.keys(.users, from: RowKey(5), through: beyond), [RowKey(5)], "users to beyond all keys")
      bench.expect(try rows.bytes(.members, beyond), nil, "a row beyond all keys")
    },
    StateCheck("a key that a table can't have is refused") { (bench) throws(StateError) in
      let rows = try bench.open()
      for key in [RowKey(0x8000_0000), RowKey(1, 0x8000_0000), RowKey(1, 1, 1)] {
        try rows.begin(writing: true, timeout: 0)
        do throws(StateError) {
          try rows.put(.members, key, bytes: [1])
          bench.expect("stored", "refused", "\(key)")
        } catch {
          guard case .damaged = error else { throw error }
        }
        rows.rollback()
      }
      bench.expect(try rows.keys(.members), [], "rows")
    },
    StateCheck("a scan stops when it is told to, and by an error") { (bench) throws(StateError) in
      let rows = try bench.open()
      try rows.write { () throws(StateError) in
        for a: UInt32 in 0..<2000 { try rows.put(.users, RowKey(a), bytes: []) }
      }
      var seen = 0
      try rows.scan(.users) { (_, _) throws(StateError) in
        seen += 1
        return seen < 600
      }
      bench.expect(seen, 600, "rows seen")
      bench.expectError(.stale(expected: 1, found: 2), "the body's error") { () throws(StateError) in
        try rows.scan(.users) { (_, _) throws(StateError) in throw .stale(expected: 1, found: 2) }
      }
      bench.expect(try rows.keys(.users).count, 2000, "rows afterwards")
    },
    StateCheck("a scan's body may read, even the same table") { (bench) throws(StateError) in
      let rows = try bench.open()
      try rows.write { () throws(StateError) in
        for a: UInt32 in 0..<20 {
          for b: UInt32 in 0..<20 { try rows.put(.members, RowKey(a, b), bytes: [UInt8(a), UInt8(b)]) }
        }
      }
      var pairs = 0
      try rows.scan(.members) { (outer, value) throws(StateError) in
        try rows.scan(.members, of: outer.b) { (inner, _) throws(StateError) in
          let same = try rows.withRow(.members, outer) { (again) throws(StateError) in again.elementsEqual(value) }
          if same == true && inner.a == outer.b { pairs += 1 }
          return true
        }
        return true
      }
      bench.expect(pairs, 8000, "pairs")
    },
    StateCheck("values are kept byte for byte, empty ones and large ones too") { (bench) throws(StateError) in
      let rows = try bench.open()
      let large = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      for table in StateTable.allCases {
        try rows.write { () throws(StateError) in
          try rows.put(table, Self.key(table, 1, 0, 0), bytes: [])
          try rows.put(table, Self.key(table, 2, 0, 0), bytes: large)
          try rows.put(table, Self.key(table, 3, 0, 0), bytes: [0])
        }
        bench.expect(try rows.bytes(table, Self.key(table, 1, 0, 0)), [], "the empty value of \(table)")
        bench.expect(try rows.bytes(table, Self.key(table, 2, 0, 0)) == large, true, "the large value of \(table)")
        var sizes: [Int] = []
        try rows.scan(table) { (_, value) throws(StateError) in
          sizes.append(value.count)
          return true
        }
        bench.expect(sizes, [0, 1 << 20, 1], "sizes in a scan of \(table)")
      }
    },
    StateCheck("a hundred thousand rows in any order") { (bench) throws(StateError) in
      let rows = try bench.open()
      let count: UInt32 = 100_000
      try rows.write { () throws(StateError) in
        // 7919 is prime to the count, so that each key comes once.
        for step in 0..<count { try rows.put(.users, RowKey(step &* 7919 % count), bytes: [1, 2, 3, 4]) }
      }
      try rows.write { () throws(StateError) in
        for step in 0..<count / 2 { try rows.remove(.users, RowKey(step * 2)) }
      }
      let keys = try rows.keys(.users)
      bench.expect(keys.count, Int(count / 2), "rows")
      bench.expect(zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 && $0.a % 2 == 1 }, true, "odd keys in order")
      bench.expect(try rows.lastKey(.users, from: .first, through: RowKey(50_000)), RowKey(49_999), "last to 50,000")
    },
  ]

  /// A key with as many parts as the table uses.
  static func key(_ table: StateTable, _ a: UInt32, _ b: UInt32, _ c: UInt32) -> RowKey {
    RowKey(a, table.arity > 1 ? b : 0, table.arity > 2 ? c : 0)
  }
}
