/// Where a person keeps what belongs to him and not to a state, by the rules of XDG.
package struct ProviderFolders: Sendable {
  /// nil where the environment names no place.
  package var configuration: String?
  /// nil where the environment names no place: nothing is kept between runs then.
  package var cache: String?

  package init(environment: [String: String]) {
    configuration = Self.folder(environment, "XDG_CONFIG_HOME", below: ".config")
    cache = Self.folder(environment, "XDG_CACHE_HOME", below: ".cache")
  }

  /// Relative paths are no places, as XDG has it.
  private static func folder(_ environment: [String: String], _ name: String, below folder: String) -> String? {
    if let path = environment[name], path.utf8.first == UInt8(ascii: "/") { return "\(path)/circlectl" }
    if let path = environment["HOME"], path.utf8.first == UInt8(ascii: "/") { return "\(path)/\(folder)/circlectl" }
    return nil
  }
}
