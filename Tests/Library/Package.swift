// swift-tools-version: 6.2
import PackageDescription

/// Two small programs that stand on Covey's libraries as any program would, those of docs/library.md, and a sample
/// for phones, of which Linux compiles the part that needs no map.
let package = Package(
    name: "covey-samples",
    dependencies: [.package(name: "covey", path: "../..")],
    targets: [
        .executableTarget(
            name: "nearby",
            dependencies: [.product(name: "CoveyClusters", package: "covey")]),
        .target(
            name: "PhoneSample",
            dependencies: [.product(name: "CoveyClusters", package: "covey")]),
        .target(
            name: "page",
            dependencies: ["CoveyArchives", "CoveyClusters", "CoveyTiles"].map {
                .product(name: $0, package: "covey")
            }),
        .executableTarget(
            name: "peek",
            dependencies: [
                .product(name: "CoveyArchives", package: "covey"),
                .product(name: "CoveyTiles", package: "covey"),
            ]),
    ])
