import CircleState

extension StateCheck {
  static let nameChecks = [
    StateCheck("a name leads to its number, in its own directory only") { (bench) throws(StateError) in
      let rows = try bench.open()
      let name = Array("swift-fans".utf8)
      try rows.write { () throws(StateError) in
        try rows.putName(name, 1, in: .handles)
        try rows.putName(name, 0x7FFF_FFFF, in: .users)
      }
      bench.expect(try rows.number(of: name, in: .handles), 1, "the handle")
      bench.expect(try rows.number(of: name, in: .users), 0x7FFF_FFFF, "the user")
      bench.expect(try rows.number(of: name, in: .serverIDs), nil, "no server")
      try rows.write { () throws(StateError) in
        try rows.putName(name, 2, in: .handles)
        try rows.removeName(name, in: .users)
        try rows.removeName(name, in: .serverIDs)
      }
      bench.expect(try rows.number(of: name, in: .handles), 2, "the handle, moved")
      bench.expect(try rows.number(of: name, in: .users), nil, "the user, removed")
    },
    StateCheck("names are compared by their bytes") { (bench) throws(StateError) in
      let rows = try bench.open()
      // The same letter for a reader: one code point, and two.
      let composed: [UInt8] = [0xC3, 0xA9]
      let decomposed: [UInt8] = [0x65, 0xCC, 0x81]
      try rows.write { () throws(StateError) in
        try rows.putName(composed, 1, in: .users)
        try rows.putName(decomposed, 2, in: .users)
        try rows.putName([], 3, in: .users)
      }
      bench.expect(try rows.number(of: composed, in: .users), 1, "composed")
      bench.expect(try rows.number(of: decomposed, in: .users), 2, "decomposed")
      bench.expect(try rows.number(of: [], in: .users), 3, "the empty name")
      bench.expect(try rows.number(of: [0x65], in: .users), nil, "the bare letter")
    },
    StateCheck("names with a prefix come in byte order") { (bench) throws(StateError) in
      let rows = try bench.open()
      let names: [[UInt8]] = [
        [], [0], [0, 0], [0, 0xFF], [0x41], [0x61], [0x61, 0], [0x61, 0x62], [0x61, 0xFF], [0x61, 0xFF, 0xFF],
        [0x62], [0xE4, 0xB8, 0xAD], [0xFF], [0xFF, 0], [0xFF, 0xFF], [0xFF, 0xFF, 0xFF],
      ]
      try rows.write { () throws(StateError) in
        for (number, name) in names.enumerated().reversed() { try rows.putName(name, UInt32(number), in: .handles) }
        try rows.putName([0x61, 0x61], 99, in: .users)
        try rows.putName([0x61, 0x61], 99, in: .serverIDs)
      }
      for prefix: [UInt8] in [[], [0], [0x61], [0x61, 0xFF], [0xFF], [0xFF, 0xFF], [0x63], [0xFE]] {
        bench.expect(
          try rows.names(.handles, prefix: prefix), names.filter { $0.starts(with: prefix) }, "prefix \(prefix)")
      }
      var numbers: [UInt32] = []
      try rows.scanNames(.handles, prefix: [0x61]) { (_, number) throws(StateError) in
        numbers.append(number)
        return numbers.count < 2
      }
      bench.expect(numbers, [5, 6], "the first two numbers")
    },
  ]
}
