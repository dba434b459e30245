import Testing
import Testkit

/// The fuzzing without libFuzzer: what is kept in `Corpus`, seeds and whatever has ever broken something, and what comes of
/// it by a few random changes.
struct CorpusTests {
  private static let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    .dropLast(2).joined(separator: "/")

  private static func corpus(of target: FuzzTarget) throws -> [(name: String, bytes: [UInt8])] {
    try TemporaryFolder.names(in: "\(folder)/Corpus/\(target.name)").sorted().map { name in
      (name, try kept(name, of: target))
    }
  }

  /// A file of the corpus.
  static func kept(_ name: String, of target: FuzzTarget) throws -> [UInt8] {
    try read("Corpus/\(target.name)/\(name)")
  }

  private static func read(_ path: String) throws -> [UInt8] {
    guard let bytes = TemporaryFolder.bytes(of: "\(folder)/\(path)") else {
      throw TemporaryFolder.Failure(description: "\(path) can't be read")
    }
    return bytes
  }

  @Test(arguments: FuzzTarget.all)
  func `all holds of what is kept`(_ target: FuzzTarget) throws {
    let corpus = try Self.corpus(of: target)
    #expect(corpus.count > 2)
    for entry in corpus {
      do { try target.check(entry.bytes) } catch { Issue.record("\(target.name)/\(entry.name): \(error)") }
    }
  }

  @Test(arguments: FuzzTarget.all)
  func `all holds of what is kept with random changes`(_ target: FuzzTarget) throws {
    let corpus = try Self.corpus(of: target).map(\.bytes).filter { $0.count < 0x4000 }
    let words = Dictionary(text: String(decoding: try Self.read("Dictionaries/\(target.name).dict"), as: UTF8.self))
    #expect(!words.words.isEmpty)
    var random = SplitMix(seed: 20_261_130)
    for number in 0..<250 {
      let bytes = words.mutation(of: corpus, &random)
      do { try target.check(bytes) } catch { Issue.record("\(target.name), change \(number): \(error)\n\(bytes)") }
    }
  }
}
