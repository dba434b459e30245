// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// A Swift target of the package, with the floors below it that it may import.
func floor(_ name: String, _ below: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: below, swiftSettings: strict)
}

/// The tests of one target; `Testkit` holds what several of them share.
func tests(_ name: String, _ below: [Target.Dependency] = [], exclude: [String] = []) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: [.init(stringLiteral: name)] + below, exclude: exclude,
    swiftSettings: strict)
}

/// What reads input from outside; the fuzzing looks into all of it.
let fuzzed: [Target.Dependency] = [
  "CircleCLI", "CircleManifest", "CircleModel", "CirclePlan", "CircleReport", "CircleState", "CircleStatePostgres",
  "CircleTables", "CommandTree", "Diagnostics", "InvisibleText", "JSONText", "YAMLEvents",
]

let package = Package(
  name: "circlectl",
  products: [
    .executable(name: "circlectl", targets: ["circlectl"]),
    .library(name: "CircleKit", targets: ["CircleKit"]),
  ],
  targets: [
    // Floor 0: system libraries, each imported by exactly one target.
    .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"])]),
    .systemLibrary(name: "CNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CMalloc"),
    .systemLibrary(name: "CSpawn"),

    // Also at the bottom: the system's threads, and what nobody sees.
    floor("SideThread"),
    floor("InvisibleText"),

    // Floor 1: text, positions, digests.
    floor("Diagnostics", ["InvisibleText"]),
    floor("Digest", ["CNettle"]),
    floor("JSONText", ["CJansson", "InvisibleText"]),
    floor("DelimitedText"),
    floor("YAMLEvents", ["CYAML", "SideThread"]),

    // Floor 2: the command line as a value; the domain.
    floor("CommandTree", ["Diagnostics"]),
    floor("CircleModel", ["Diagnostics", "Digest"]),

    // Floor 3: manifests and tables in, state behind a small protocol.
    floor(
      "CircleManifest",
      ["CircleModel", "Diagnostics", "DelimitedText", "InvisibleText", "JSONText", "YAMLEvents"]),
    floor(
      "CircleTables",
      ["CZlib", "CircleModel", "DelimitedText", "Diagnostics", "JSONText", "SideThread", "YAMLEvents"]),
    floor("CircleState", ["CircleModel", "Diagnostics", "Digest", "JSONText", "SideThread"]),

    // Floor 4: what to change; one store each.
    floor("CirclePlan", ["CircleModel", "Diagnostics", "Digest", "JSONText"]),
    floor("CircleStateSQLite", ["CSQLite", "CircleState"]),
    floor("CircleStatePostgres", ["CircleState", "SideThread"]),

    // Floor 5: the public library.
    floor(
      "CircleKit",
      [
        "CircleModel", "CirclePlan", "CircleState", "CircleStatePostgres", "CircleStateSQLite", "CircleTables",
        "Diagnostics", "SideThread",
      ]),

    // Floor 6: what a person or a machine reads.
    floor(
      "CircleReport",
      [
        "CircleManifest", "CircleModel", "CirclePlan", "CircleState", "CircleTables", "Diagnostics", "Digest",
        "JSONText", "SideThread",
      ]),
    floor(
      "CircleProviders",
      [
        "CSpawn", "CircleKit", "CircleModel", "DelimitedText", "Diagnostics", "Digest", "JSONText", "SideThread",
      ]),

    // Floor 7 and 8: the command line.
    floor(
      "CircleCLI",
      [
        "CMalloc", "CircleKit", "CircleManifest", "CircleModel", "CirclePlan", "CircleProviders", "CircleReport",
        "CircleState", "CircleStatePostgres", "CircleStateSQLite", "CircleTables", "CommandTree", "Diagnostics",
        "Digest", "JSONText", "YAMLEvents",
      ]),
    .executableTarget(name: "circlectl", dependencies: ["CircleCLI"], swiftSettings: strict),

    tests("CircleKit", ["CircleModel", "CircleState", "CircleStateSQLite", "Testkit"]),
    tests("CircleManifest", ["CircleModel", "Diagnostics", "JSONText", "Testkit", "YAMLEvents"]),
    tests("CircleModel", ["Diagnostics", "Testkit"]),
    tests("CirclePlan", ["CircleModel", "Diagnostics", "Testkit"]),
    tests("CircleProviders", ["CircleKit", "Diagnostics", "Testkit"]),
    tests(
      "CircleReport",
      ["CircleModel", "CirclePlan", "CircleState", "Diagnostics", "Digest", "JSONText"]),
    tests(
      "CircleState",
      ["CircleModel", "CircleStatePostgres", "CircleStateSQLite", "Diagnostics", "Digest", "JSONText", "Testkit"]),
    tests("CircleStateSQLite", ["CircleState", "StateConformance"]),
    tests(
      "CircleStatePostgres",
      ["CircleModel", "CircleState", "CircleStateSQLite", "StateConformance", "Testkit"]),
    tests("CircleTables", ["CircleModel", "Diagnostics", "JSONText", "Testkit"]),
    tests("CommandTree", ["Diagnostics", "Testkit"]),
    tests("DelimitedText"),
    tests("Diagnostics"),
    tests("Digest"),
    tests("JSONText", ["Testkit"]),
    tests("YAMLEvents", ["Testkit"]),
    tests(
      "CircleCLI",
      [
        "CircleKit", "CircleManifest", "CircleModel", "CirclePlan", "CircleProviders", "CircleReport", "CircleState",
        "CircleStateSQLite", "CircleTables", "CommandTree", "Diagnostics", "JSONText", "Testkit", "circlectl",
      ]),

    // What is kept of the fuzzing, and random changes of it, without libFuzzer; see `make fuzz`.
    .testTarget(
      name: "FuzzTests", dependencies: fuzzed + ["Testkit"], exclude: ["Corpus", "Dictionaries", "Engine", "fuzz"],
      swiftSettings: strict),

    // The built program, from manifests to events, on real and hostile input.
    .testTarget(
      name: "AcceptanceTests",
      dependencies: [
        "CircleModel", "CircleState", "CircleStatePostgres", "CircleStateSQLite", "Diagnostics", "SideThread",
        "Testkit",
        "circlectl",
      ],
      swiftSettings: strict),

    // Folders, processes and random numbers for tests.
    .target(name: "Testkit", path: "Tests/Testkit", swiftSettings: strict),

    // What every store of states must do; the tests of each store run it.
    .target(
      name: "StateConformance", dependencies: ["CircleState"], path: "Tests/StateConformance",
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)

// The program that libFuzzer drives takes the place of the tests with the same sources: `make fuzz` builds it.
if Context.environment["FUZZ"] != nil {
  package.targets.removeAll { $0.name == "FuzzTests" }
  package.targets.append(
    .executableTarget(
      name: "fuzz", dependencies: fuzzed, path: "Tests/FuzzTests",
      exclude: ["Corpus", "Dictionaries", "Replay", "fuzz"],
      swiftSettings: strict))
}
