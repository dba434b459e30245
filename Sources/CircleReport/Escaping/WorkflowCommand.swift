import Diagnostics

/// A line by which a GitHub workflow is told something: `::error file=a.yaml,line=3::message`.
struct WorkflowCommand {
  let name: String
  var properties: [(key: String, value: String)] = []
  /// One line each.
  var message: [String]

  /// The line without its break.
  var text: String {
    let list = properties.map { "\($0.key)=\(Self.escaped($0.value, isProperty: true))" }.joined(separator: ",")
    let lines = message.map { Self.escaped($0, isProperty: false) }.joined(separator: "%0A")
    return "::\(name)\(list.isEmpty ? "" : " " + list)::\(lines)"
  }

  private static func escaped(_ text: String, isProperty: Bool) -> String {
    var escaped = ""
    for scalar in terminalSafe(text).unicodeScalars {
      switch scalar {
      case "%": escaped += "%25"
      case ":" where isProperty: escaped += "%3A"
      case "," where isProperty: escaped += "%2C"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
