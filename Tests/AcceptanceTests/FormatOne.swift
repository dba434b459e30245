import CircleState
import CircleStateSQLite
import Glibc
import Testkit

/// States of the first format.
enum FormatOne {
  /// Takes a state of the newest format, whose log was never cut, back to the first.
  static func take(_ name: String, back scene: Scene) throws {
    do {
      let rows = try SQLiteRows.open(path: scene.folder.path(name), mode: .write(create: false))
      try rows.begin(writing: true, timeout: 1000)
      for table in [StateTable.head, .runs] {
        var all: [(RowKey, [UInt8])] = []
        try rows.scan(table, from: .first, through: .last) { (key, row) in
          all.append((key, row.dropLast(Seal.byteCount)))
          return true
        }
        for (key, row) in all { try row.withUnsafeBytes { try rows.put(table, key, $0) } }
      }
      try rows.commit()
    }
    let ending = try scene.shell("sqlite3 \(name) 'DROP TABLE checkpoint; PRAGMA user_version = 1'")
    guard ending.status == 0 else { throw TemporaryFolder.Failure(description: ending.errors) }
  }

  /// Writes what a version of circlectl that knew no other format has made: `one.db`, and its dump `one.ndjson`.
  static func write(into scene: Scene) throws {
    for (name, packed) in [("one.db", state), ("one.ndjson", dump)] {
      try scene.folder.write(packed, to: "packed")
      let ending = try scene.shell("base64 -d packed | gunzip >\(name) && rm packed")
      guard ending.status == 0 else { throw TemporaryFolder.Failure(description: ending.errors) }
    }
  }

  /// What its export gives.
  static let export = """
    version: 1

    users:
      max: {}
      olga:
        nickName: Olga
        devices: [phone, mac]
      zoe:
        sign: 读书

    servers:
      garden:
        name: Garden
        owner: max
        type: private
        join: direct
      readers:
        name: 读书会
        owner: olga
        tags: [books]
        moderators:
          - max
        members:
          - zoe
        join: direct

    """

  private static let state = """
    H4sIAAAAAAACA+3cf2zcZhkH8Pd9bZ/PySUraZuU/LLXtbRFXUmXVKSlG03CNTl66TWXa9ZkA+Tcucntfjj1XdIkwJpLx1g1gSpRIehACqCVTd\
    soaKiiWjWGqKohQChlRdCqQkJZqUSR0FgBASq8ti/JpUkWiNA6qu8n8dn32n6ex6/f5J9XdmdHMJ41tIOmldKzWj3RCKVkl6YRQhS++MisYr6I\
    Bd9pfiEtgXALWZhCtkRpiX1y5RGiflNtqr1cm6k5U7O/+q/VX6v6bdVDvBkAAAAAAAAAAAAAAADuHrmdxXLF6tV0/JGs3ps0kmY0YS++lrC/Ke\
    LXIk3NQb9mt2gbE8aIFtgb8bf6w9q+cKC9Kdyt7fF3ay1t/pY97u4HtbpNm7V+M5PVIv4DEW1viC/7g8HN2oBlRo1MZibAvD2dWd3KLrA7E09H\
    jXntm7TOSDjQEsnVFskVFRV0vMopP62njIzzUTznApwmXmI8HVsghb1Xaw6GmgvbBlO9hrXAwYVX7gR0z980XdFm7eFApC20P6KFQw8HPpbboc\
    gV991Hxz+S79++5pFOwxoyrILNott6e2aHtlFfoITeBdqiC7QN6cnBeRc2p36dB+PnLlZ8t1euWLmS5t4/XTv/VW6vddGBsWAB05kelZ1hl3Pv\
    mzWYztiLd05wu2V50T/lcUZFrsaJntKtRMb5kOfEd5qWlyC3Qyq8rfH0UDyrZ+NmOlOw6ZmTrWDHHb6thihXVFXR3L1u7xj2SM/kV9LcHnIbl9\
    dHhlCYJuMM6Ex+Jc5Jk29c5r1mhfd6kMfKOB/CnBRO0zKHKi0cqv2GHrMXNie83bK86PbcPFV/SvgvAAAAAAAAAAAAAAAAAAAA3Hn1RCBJr1h2\
    /OKVC08aV15sPFLxsrDy8sS19c/XHzu/ruX+UfLs60c3JMYuPTN25mlRjMUEJtrz/4J6lqh/Vif5CgAAAAAAAAAAAAAAAAAAAN5N5YJAHhBGTU\
    OjRVTyXD/9ytTZU7xdYwLZLZrJPv0pjXqpIIb4JpMG+s20IaT0KCHFVCDVfHOYMFGy5/+ZGiDq99SAeg+6FQAAAAAAAAAAAAAAAAAA7hY7lnfa\
    QSaS3L7y5ob6TFs43uUP7X4skTrc2RWP1aUjsmXoMcPKUKK4E/VT506y4+M//sUTBpVjxkF9MJklJFdKCC0PRhPhjsb+eGvPaMdw4FBTuq2/O7\
    FV6jXNRIYKtJ3yPLXlRsjsiSXSI9u6Qv6W9nTUjO5t2B729OlWzEgz4ml1Nqg8YMWH9KxB5yU76uVFU+LO/79B1BvqG+pruPsAAAAAAAAAAAAA\
    AAAAAAB3yKrbG8omxsbGqEA+KFCu7H0+4s7+lx5329dSyo9y24qIPf8/RdS3+AcAAAAAAAAAAAAAAAAAAAC8Z5VIClUqhfyMv/uNTX8j9vz/Df\
    v5/7+gpwAAAAAAAAAAAAAAAAAAAN77RPv5fyaQUtHZEuwte/5frC0j6kjtv2qP8Q0AAAAAAAAAAAAAAAAAALhLDIoiyaWvvNh4pOJlYeXliWvr\
    n68/dn5dy/2j5NnXj25IjF16ZuzM0w9Stm3yM9aJP7avefXknvFv/ehPJ7b/bM2Onb5HEx9q+1L5H76/TySlGcMaMiwtZmSyljniRD9+8cqFJ4\
    0V9ovpBcqGUmMXBaluy9YtdVmBp00uFXQnDcmR7ssv7fvsP+K3PnDj1x+dLPlqyRdfuJp54tNvlgWvTta/KZCSfNqoZehZw836u+fe/pyxgthp\
    7ay3JvNZhxnPml0q5i7KXvjJF1ZHgk03D1k/lO89/MjEreqOoWNWdfvkeX/nL28OMCrpAwPJESrHjIP6YDJLqFBft55nfuvmN/KZJTvzP6cz50\
    QqknHfUoF30aXuF100tfOAP5NLFJkykXqYwnxUEzYwXsbfpsuw5/99leeIOqGW1j5ec72mp4ZVP1f98arfVx2qvMV3AAAAAAAAAAAAAAAAALxL\
    dr42NjZGBPI4FVbQ8ti2wP720O69ff4HWgIjB/T6SMNgMCzp2Ww8SgkVRk1jXoTUd+0IIsl9ktKlQhRE8M5GWCKt1GSv7TPdKUhCBibyKWNU4i\
    mbG+ozbeF4lz+0+7FE6nBnVzxWl47IlqHHDCvD6xbNZJ8+k85HGFlFimh5Ot1kDX74UMO+jmx7cPeIOdwaN4OjnqkfvHTty5+n+aOUaHKwd8uI\
    nkp+wn7g18uzPkQ3/PdZGf8pJR6SKyWUSb2mmchMZ5pNccBOIfMUDU4KI2T2xBLpkW1dIX9LezpqRvc2bA97+nQrZqTt+5HSh+ckqOQJjnqZk9\
    npa37QbPSIHd3Do2+mPt+SF+BEz1+EyH9+Nf26cydTOVlXEDlsR5Z45I1U8bL/KLIzEihjhNCvsCNu/bSc0XVSQdycbAcWRTJeRj0iW6JD3GKd\
    y3Z6hhX0zFpa67Mb3evJXwj1tDpnEjJT0bw9hdXc4zzyzatZS0VxWSNgFVnDyoPRRLijsT/e2jPaMRw41JRu6+9ObHXHBHnnUWlHWUXXlBZWpT\
    iPpPOqyillS9/WmaJE528wPy6XvBjl+ulXps6emjp30gng9tPMfHlhPcV2PfbEfKVTzxL3bHYMe2cH8TufxEj+7lB5wIoP6VnDDrJ4RT3H8/8u\
    GqnGBHu2f2YkuH8jhbeIennpHr5NBTHEj2DSQL+ZtjNEn9Ko5HG7gWgF8YvsfyrqKaL+XX1bvapeUG+oU+ol9efqq+oZ9Tt8BwAAAAAAAAAAAA\
    AAAAAAAPyPyBKlXp8g5teCu2aMrxXqY16PpPC1nP/qya8lt1nMfxXyaybxZsUnSV7F67Pn/2X1BFG/rX5dPaH+Rj2tnlOn7B/0OgAAAAAAAAAA\
    AAAAAAAAwCKKZzdrFj3IK3rL6KhpCIroXUXtR/2ZzJuUlD7sE5VKmn+vAasWaSNlC7/8gBWJyhrFfedAFT9OYQu/lsB+/z/RcGMAAAAAAAAAAA\
    AAAAAAAAD+n/0bw556SACAAQA=
    """

  private static let dump = """
    H4sIAAAAAAACA61YW3OqShp9n5/ha1K1obnvqvPQIKAmoqCgMDUP3XSDCqjxhnpq/vs05rIhO7pNzbEqUQp69be+Xt+Nv1vxfBPnNN7l7X2xbv\
    3kH1vJalOg3eXnhh7m2/lq2fopsov96/eMItL62SIYxYKqJLyCBU7gBYIQR2UgIU0QVC0WgSgKgCiI45AUq6oAFBmrHJE09h/LKm79919/t3YI\
    55SBXTAfWxk9tX7+m/vPY+uA8n11w4DuKHOe8XEV5UAuxeRIz/A4RKtBmL+MB72j4bWfpyu4juftHthDPtrD3Wpr6raXwbJrMtB4RuOMQVFAVc\
    QpSmPj/ZZuth8787WdIeBnFEJDh/5fNZQYqwLjK99AATUU3da2EbC7XWh2ods3x+C4DN2uFduzAy78Np5YCwhhfQeZyhxJxPjGDkLdTmF9iEZQ\
    N1LT0vfzw/5hJK1TWIE27EaioKpUaqAy0MM1/lYRDDG/zhCQJCeIhp7vOLhwDiEncoOga0fAOkV2sIcptL333y4p4yIH4dTLYWQYpfpgRq7ZYf\
    eKcBpsCbMqLS/G6Z/sSxRCNIVTbtpX96yVdbm+4HT9Ip94vmajYrcjvDNBE7fEuduJi2DG9j3FpQkN+uaX/Ugt0ic33Q6HM9vXdeDlUWHxuONC\
    2DUHlV1WdlwgvucN7Nna49eyP531Yt/aj+xZhM6mFRbaAQl9HZZmw788oEDjm7IuaIEb/n1sKMw12YbGuzV1NE5NOIqoehMNNNFKU2eII9MtYd\
    Z9bp9FL68hqlShGk6aiPPlYb5DOxbhdRs/4fbez7FxXoATNZnX+DvwhLvwMAGSqHBNxmiTNSyrR1ZTP7KUCBwSbq8Xrq+PeYyBEouN9SzlXUkO\
    L4fewgv8sdnh4+nTD/1kCRO5/dCxLDCfduMx6ZheMBxrU6ZzF97/cZnApnqJO1lTnG7/3Dd8+Mt53U7bzTrQ7ZrQDQ3D7fbhCLZ7ZdcghSBybt\
    /qG+LxedFMLYKaMJ74Osm6h8cl8SfkZed3BAUlYqE46Q/OBVE7lDfCdGDSB380dgSv/xAwA582p5ALAvOoa1PrdCjjGeH36Y/Z0SOr/NQxBe9o\
    BmPuR1DC9E8k2ycN2VbkXRyi665ZkVKvkErimKV2jV4n1UiXi6mXdJ58xefCw3r9nL4MdbXnSmc9lYfwGKOT1s2OeLOzoAp9tRNYS7QJdO0BLB\
    96+3M41EyncMHgRePPs84hN7Mz4cbDHJbQiUFwIkVw6trOKZpYXPR28tngaaV1g9ys0p5bhWkP4ETxYOmXzwtz34efQotpmdWq64TEGqFvVEWN\
    yYXnpsdTPuAd+1lGI/FpUSaGP4jLcLAo+1N7exj1+hNZ8Vwm3MEvQl4eC94JC9kro157BFRksxN6JVRWJwQgl355QqxNkFTKNWWXr9JaZNZrPh\
    OywdxZnX1VH8XXGmq2aaHln4LJYGlbN6DJPBu+VpXSG2KbzGAalMjW9pHr7MLJoKq/9eqYQjdf4E4wf17mMzwpG7kXqzJJiHLD2k9Z3IBelI+B\
    hiJ7t6fjYDLmgvZ4Ii0wcAZOOx/pBZnFhZfjlPnqta94+6TvLKDN6uj/XXMr7N5XddfsheDIh3NJCif8ts42FjUOAfUGW/A7W8NpO+eR1VsHWT\
    D0ivUGT8k4KPKsb0u+LvTycMIUs2RV0vUOl/N4zW4VVVixZQxYtQ0n7sI9x9xshILIGnPRCwK84PPROmrr+wCSKoyyaNo7s6U9+elBkZ6LQno+\
    obe+6qtKrhsTZ0sm3T2dWDvcDC1NwaJAwS0lNpKFy0r0d9gyJeJLh1cX6YWtD/XUuLO3gFYh7d1pj3cEk/Mtixv7R5tONNED+WHcWdnS83wnrV\
    Hnoh3d1W0o3mLNCRInxvwtRYsN1qEJZ/cruhmfLN6m6ZuwP2IUdlOTtuHl3puHPvoeJouoE057WTQR2eOXZ16xPpQMdT1736+S0dXYZTw5NnmQ\
    G0ylBtOsy5h+Q8016yCLhMqaKDWS8v2czQn7y1jFuhZvopzgBIm3FCg3LCz734u3i4XvZ1K12SZ0QqPmy8t5WCnMbvgRU1ESVAJuWKk0Mnbsfi\
    MHwg+VNDP5JQfCbr8L07es4ToyBn5F4po/WdeXqJIi3bBU/d3SfyKiq/wFU5dpls1zb5H7KzKv+1bGikg5el2joFkNXf8fsLh8zUFwpd+dW9xL\
    boFsrryqZV4DEkbCVSbCJyZmxSRz/DwYs4ltXBCrnzk9Gsxmfd7liH8c6axtIna+qGr/a5R9yKP+mUTtoBf4/NDLpKU3Zu3INA/DseM7naDvp8\
    GMdLx1yCY/3X/Dq6bkqD1/GY6sqi2rdycIJJImX9e6+IlF/xssWABWO18ZAWpWEMomSEX4zQr9NLoMwb/ejjw2u6U6k0QTYxnxf8RgHUyjh6lh\
    8IqIefJpDrqGIX6NAQCXxEIC7sJQvsZQZMqmQU36IwabVhsdSg0DqVIs8Hf4o8IQvsYQBYKIKGh3YUhfY8iYpdJYw3dhyFfs4LlYAvg+f6hX7E\
    AKRdId5wIewTWNKYmKsIjlP2IIj8I1DEnjqYw56Q4M8RqGTDCQKH21Y4kKuq29JauuL+P/sbrYV69NLu8zf71eUaiiidqtxas8RbXVoH6cWOV5\
    4ebq84rWFgs17qyyolhSG4tnaElyWlueog2hy6+NB4BHqizxtxE2FJE3i35nwIsx5TQsNiBeX7Z12zUQXRS2HW8emANrkRXlKJgTbjn+GlOVeU\
    I16Y+YdLCKSLY8ScHANPrLeBU7ouZ9TVXBbK5n/dIFky5J6+dus6ePrXy+rOBF7bFF5ind7mrPYpQoRBY0NSGJxGGNYsJczmsszVPMiTJQJIVq\
    7B5WNCoTkVcoSVhssT3+B36eAIgOFwAA
    """
}
