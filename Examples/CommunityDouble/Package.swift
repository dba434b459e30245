// swift-tools-version: 6.2
import PackageDescription

// A package of its own that uses CircleKit by path, as an application would.
let package = Package(
  name: "CommunityDouble",
  dependencies: [.package(name: "circlectl", path: "../..")],
  targets: [
    .executableTarget(name: "CommunityDouble", dependencies: [.product(name: "CircleKit", package: "circlectl")])
  ]
)
