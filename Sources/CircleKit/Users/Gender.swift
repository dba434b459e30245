/// A user's gender, with the SDK's numbers.
public enum Gender: Int, CaseIterable, Sendable {
  case unknown = 0
  case male = 1
  case female = 2

  /// The word that manifests and tables use.
  public var word: String {
    switch self {
    case .unknown: "unknown"
    case .male: "male"
    case .female: "female"
    }
  }

  /// Reads the word, or the number that updates use.
  public init?(_ text: String) {
    guard let gender = Self.allCases.first(where: { text == $0.word || text == "\($0.rawValue)" }) else { return nil }
    self = gender
  }
}
