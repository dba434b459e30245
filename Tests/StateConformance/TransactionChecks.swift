import CircleState

extension StateCheck {
  static let transactionChecks = [
    StateCheck("a rollback undoes everything") { (bench) throws(StateError) in
      let rows = try bench.open()
      let lock = StateLock(host: "h", process: 1, processStart: 2, since: 3)
      try rows.write { () throws(StateError) in
        try rows.put(.users, RowKey(1), bytes: [1])
        try rows.put(.users, RowKey(2), bytes: [2])
        try rows.putName([1], 1, in: .users)
        try rows.setLock(lock)
      }
      try rows.begin(writing: true, timeout: 0)
      try rows.put(.users, RowKey(1), bytes: [9])
      try rows.remove(.users, RowKey(2))
      try rows.put(.log, RowKey(3, 4), bytes: [9])
      try rows.putName([1], 9, in: .users)
      try rows.putName([2], 9, in: .users)
      try rows.setLock(nil)
      bench.expect(try rows.keys(.users), [RowKey(1)], "users within the transaction")
      bench.expect(try rows.lock(), nil, "the lock within the transaction")
      rows.rollback()
      rows.rollback()
      bench.expect(try rows.bytes(.users, RowKey(1)), [1], "the changed row")
      bench.expect(try rows.bytes(.users, RowKey(2)), [2], "the removed row")
      bench.expect(try rows.keys(.log), [], "the new row")
      bench.expect(try rows.number(of: [1], in: .users), 1, "the moved name")
      bench.expect(try rows.number(of: [2], in: .users), nil, "the new name")
      bench.expect(try rows.lock(), lock, "the lock")
    },
    StateCheck("another connection sees what is committed, and only that") { (bench) throws(StateError) in
      let writer = try bench.open()
      let reader = try bench.open()
      try writer.begin(writing: true, timeout: 0)
      try writer.put(.servers, RowKey(1), bytes: [1])
      bench.expect(try reader.keys(.servers), [], "servers before the commit")
      bench.expect(try writer.keys(.servers), [RowKey(1)], "servers within the transaction")
      try writer.commit()
      bench.expect(try reader.keys(.servers), [RowKey(1)], "servers after the commit")
    },
    StateCheck("one writes at a time, reads go on") { (bench) throws(StateError) in
      let first = try bench.open()
      let second = try bench.open()
      try first.begin(writing: true, timeout: 0)
      try first.put(.users, RowKey(1), bytes: [1])
      bench.expectError(.busy, "a second writer") { () throws(StateError) in
        try second.begin(writing: true, timeout: 50)
      }
      second.rollback()
      try second.begin(writing: false, timeout: 0)
      bench.expect(try second.keys(.users), [], "users that a reader sees")
      try second.commit()
      try first.commit()
      try second.begin(writing: true, timeout: 0)
      bench.expect(try second.keys(.users), [RowKey(1)], "users that the next writer sees")
      try second.commit()
    },
    StateCheck("a reading transaction ends with commit or rollback") { (bench) throws(StateError) in
      let rows = try bench.open()
      for commits in [true, false, true] {
        try rows.begin(writing: false, timeout: 0)
        bench.expect(try rows.keys(.users), [], "users")
        if commits { try rows.commit() } else { rows.rollback() }
      }
      try rows.write { () throws(StateError) in try rows.put(.users, RowKey(1), bytes: []) }
    },
    StateCheck("the lock row holds one lock") { (bench) throws(StateError) in
      let rows = try bench.open()
      let first = StateLock(host: "böx-機", process: 2_147_483_647, processStart: .max, since: -1)
      let second = StateLock(host: "", process: 1, processStart: 0, since: .max)
      for lock in [first, second, nil, nil, first] {
        try rows.write { () throws(StateError) in try rows.setLock(lock) }
        bench.expect(try bench.open().lock(), lock, "the lock")
      }
    },
  ]
}
