/// The version of circlectl.
enum ProgramVersion {
  static let number = "0.1.0"
}
