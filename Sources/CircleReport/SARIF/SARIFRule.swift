import CircleManifest
import CirclePlan
import CircleTables

/// What a code of a finding means, for those who see it for the first time.
struct SARIFRule: Equatable {
  let id: String
  let sentence: String

  private static let sentences: [String: String] = {
    var sentences: [String: String] = [:]
    for fault in ManifestDiagnostic.all { sentences[fault.code] = fault.sentence }
    for fault in PlanDiagnostic.all { sentences[fault.code] = fault.sentence }
    for fault in TableDiagnostic.all { sentences[fault.code] = fault.sentence }
    return sentences
  }()

  init(of finding: Finding) {
    id = finding.code
    sentence = Self.sentences[finding.code] ?? Self.refused
  }

  private static let refused = "A rule or a guard refuses what the manifests ask for, so nothing of the plan runs."
}
