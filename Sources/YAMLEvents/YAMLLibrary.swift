internal import CYAML

/// The libyaml that is used.
package enum YAMLLibrary {
  package static var version: String { String(cString: yaml_get_version_string()) }
}
