internal import CJansson

/// The libjansson that is used.
package enum JSONLibrary {
  package static var version: String { String(cString: jansson_version_str()) }
}
