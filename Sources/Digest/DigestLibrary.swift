import CNettle

/// The nettle that is used.
package enum DigestLibrary {
  package static var version: String { "\(nettle_version_major()).\(nettle_version_minor())" }

  /// Whether it computes what the standard says.
  package static var isRight: Bool {
    // FIPS 180-2, appendix B.1.
    SHA256.digest(of: "abc").hex == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
  }
}
