// swift-tools-version: 6.2
import PackageDescription

/// What every Swift target is held to. Tests poke at raw bytes on purpose: they need no strict memory safety.
let testSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableExperimentalFeature("Lifetimes"),
    .enableUpcomingFeature("ExistentialAny"),
]
let settings = testSettings + [.strictMemorySafety()]
// Tests and the program's verbs do little themselves, and few import them: a second compiler need not write their modules.
let unoptimized = SwiftSetting.unsafeFlags(
    ["-Onone", "-gnone", "-no-emit-module-separately-wmo"], .when(configuration: .release))
let plainTestSettings = testSettings + [unoptimized]

/// Names of targets, told apart by white space.
func names(_ text: String) -> [Target.Dependency] {
    text.split(whereSeparator: \.isWhitespace).map { .init(stringLiteral: String($0)) }
}

/// A module of the product, or one that tests share; the names after `uses` are all that it may import.
func module(_ name: String, uses: String = "", isOfTests: Bool = false) -> Target {
    .target(
        name: name, dependencies: names(uses), path: isOfTests ? "Tests/\(name)" : nil,
        swiftSettings: isOfTests ? testSettings : settings)
}

/// A module and its tests, which may import all that it may, and the names after `testsUse`.
func part(
    _ name: String, uses: String = "", testsUse: String = "", testResources: [Resource] = []
) -> [Target] {
    let tests = Target.testTarget(
        name: "\(name)Tests",
        dependencies: names("\(name) TestSupport \(uses) \(testsUse)"), resources: testResources,
        swiftSettings: plainTestSettings)
    return [module(name, uses: uses), tests]
}

func command(_ name: String, uses: String, _ more: [SwiftSetting] = []) -> Target {
    .executableTarget(name: name, dependencies: names(uses), swiftSettings: settings + more)
}

/// Targets for `scripts/fuzz`: they link only with a fuzzer, so they are left out of ordinary builds.
func fuzz(_ programs: String, uses: String) -> [Target] {
    programs.split(whereSeparator: \.isWhitespace).map { name in
        .executableTarget(
            name: "Fuzz\(name)", dependencies: names(uses),
            path: "Tests/Fuzz/\(name)", exclude: ["corpus"], swiftSettings: testSettings)
    }
}
let fuzzTargets: [[Target]] = [
    fuzz("Arrow CSV GeoJSON Parquet WKT", uses: "FuzzedReading PointInput"),
    fuzz("Databases FlatGeobuf Zip", uses: "PointInput Points"),
    fuzz(
        "Archive Clusters Folders Metadata PMTiles",
        uses: "ArchiveContract ClusterQueries Compression Geometry JSON SQLite TileArchive"),
    fuzz("Conversion", uses: "Conversion Geometry TileArchive"),
    fuzz("Expressions Gzip JSON", uses: "Compression Expressions JSON Points"),
    fuzz("Recipes", uses: "JSON Recipes"),
    fuzz("Requests", uses: "HTTP TileService"),
    fuzz("VectorTile", uses: "MessageTiles VectorTile"),
]

/// A C library of the system, found by pkg-config and installed by a package manager.
func library(_ name: String, pkgConfig: String, apt: String? = nil, brew: String) -> Target {
    .systemLibrary(
        name: name, pkgConfig: pkgConfig,
        providers: [.apt([apt ?? "\(pkgConfig)-dev"]), .brew([brew])])
}

/// `COVEY_TESTS=JSON,Points` leaves out the tests of other modules, which then need not compile.
let chosenTests = Context.environment["COVEY_TESTS"]?.split(separator: ",").map {
    $0.hasSuffix("Tests") ? "\($0)" : "\($0)Tests"
}

@resultBuilder enum Parts {
    static func buildExpression(_ target: Target) -> [Target] { [target] }
    static func buildExpression(_ targets: [Target]) -> [Target] { targets }
    static func buildBlock(_ parts: [Target]...) -> [Target] { Array(parts.joined()) }
}

/// A folder of `Sources`, in the order in which data pass them; its modules may use those of layers before it.
func layer(_ folder: String, @Parts _ parts: () -> [Target]) -> [Target] {
    let targets = parts()
    for target in targets where target.type != .test {
        target.path = "Sources/\(folder)/\(target.name)"
    }
    return targets
}

let layers: [[Target]] = [
    layer("Libraries") {
        library("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev", brew: "sqlite")
        library("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev", brew: "zlib")
        library("CDeflate", pkgConfig: "libdeflate", brew: "libdeflate")
        library("CZstd", pkgConfig: "libzstd", brew: "zstd")
        library("CSnappy", pkgConfig: "snappy", apt: "libsnappy-dev", brew: "snappy")
        library("CLZ4", pkgConfig: "liblz4", brew: "lz4")
        library("CBrotli", pkgConfig: "libbrotlidec", apt: "libbrotli-dev", brew: "brotli")
        library("CProtobufC", pkgConfig: "libprotobuf-c", brew: "protobuf-c")
        library("CMicrohttpd", pkgConfig: "libmicrohttpd", brew: "libmicrohttpd")
        // Calls of the C library itself that Swift does not see: about memory, whole directories, copies
        // of a process, processors.
        ["CMapping", "CFileSystems", "CForks", "CProcessors"].map { Target.systemLibrary(name: $0) }
    },
    // Each one library or one notion; no word of tiles or clusters.
    layer("Ground") {
        // The C library by one name, and files and processes behind types of our own.
        module("CLibrary")
        part("Platform", uses: "CFileSystems CForks CLibrary CMapping CProcessors")
        part("Geometry", uses: "CLibrary")
        part("Basics", uses: "CLibrary")
        part("Pipelines", uses: "CLibrary")
        part("Spelling")
        part("JSON", uses: "Basics")
        part("SQLite", uses: "CSQLite Platform")
        part("Compression", uses: "CBrotli CDeflate CLZ4 CSnappy CZlib CZstd")
        part("Projections", uses: "CLibrary")
        part("HTTP", uses: "CLibrary CMicrohttpd Platform")
        part("Arguments", uses: "Spelling", testResources: [.copy("Texts")])
    },
    // A table of points, and what may be asked of them.
    layer("Data") {
        part("Points", uses: "Basics CLibrary CMapping Geometry")
        part("ParallelColumns", uses: "CLibrary Pipelines Points")
        part("Expressions", uses: "Basics CLibrary JSON Points Spelling")
    },
    layer("Input") {
        part(
            "PointInput",
            uses: """
                Basics CLibrary Compression Expressions Geometry JSON Platform Points Projections SQLite
                """, testsUse: "FuzzedReading", testResources: [.copy("Resources/Samples")])
    },
    layer("Engine") {
        part(
            "Clustering",
            uses: "Basics CLibrary Expressions Geometry JSON ParallelColumns Points Spelling",
            testResources: [.copy("Resources")])
        part("LiveClusters", uses: "Clustering Geometry Points")
    },
    layer("Tiles") {
        Target.target(name: "CVectorTile", dependencies: ["CProtobufC"])
        part(
            "VectorTile", uses: "Basics CLibrary CProtobufC CVectorTile", testsUse: "MessageTiles",
            testResources: [.copy("Fixtures")])
    },
    layer("Archive") {
        part("ArchiveContract", uses: "Basics Geometry JSON")
        part(
            "TileArchive",
            uses: "Basics ArchiveContract CLibrary Compression Geometry JSON Platform SQLite",
            testsUse: "MadeArchives")
        part(
            "ClusterQueries", uses: "ArchiveContract Geometry JSON TileArchive VectorTile",
            testsUse: "Compression MessageTiles MadeArchives Recipes SQLite Tileset")
    },
    layer("Make") {
        part(
            "Recipes",
            uses: "ArchiveContract Clustering Expressions Geometry JSON PointInput Points Spelling")
        part(
            "Conversion",
            uses: """
                Basics ArchiveContract ClusterQueries Compression Geometry JSON Pipelines Platform
                TileArchive VectorTile
                """, testsUse: "Inspection MadeArchives MessageTiles Recipes SQLite Tileset")
        part(
            "Tileset",
            uses: """
                Basics ArchiveContract CLibrary Clustering Compression Conversion Expressions Geometry JSON
                ParallelColumns Pipelines Platform PointInput Points Recipes Spelling TileArchive VectorTile
                """, testsUse: "MessageTiles SQLite")
    },
    layer("Use") {
        part(
            "Inspection",
            uses: """
                Basics ArchiveContract ClusterQueries Clustering Compression Conversion Geometry JSON
                Pipelines Platform PointInput Points Recipes TileArchive VectorTile
                """, testsUse: "MessageTiles MadeArchives SQLite covey")
        Target.target(name: "CPageData", exclude: ["data", "web"])
        Target.target(name: "CDemoData")
        part(
            "TileService",
            uses: """
                Basics ArchiveContract CLibrary CPageData ClusterQueries Compression Geometry HTTP JSON
                Platform TileArchive VectorTile
                """, testsUse: "MadeArchives MessageTiles Recipes SQLite Tileset")
        command(
            "covey",
            uses: """
                ArchiveContract Arguments CDemoData CLibrary ClusterQueries Clustering Conversion Geometry
                HTTP Inspection JSON Pipelines Platform PointInput Projections Recipes Spelling TileArchive
                TileService Tileset VectorTile
                """, [unoptimized])
        command(
            "covey-bench",
            uses: """
                Basics ArchiveContract CLibrary CZlib Clustering Compression Expressions Geometry JSON
                MessageTiles Platform PointInput Points TileArchive Tileset VectorTile
                """)
    },
]

/// What tests share, and the tests of the program.
let testTargets: [Target] = [
    module("MessageTiles", uses: "Basics CProtobufC CVectorTile VectorTile", isOfTests: true),
    module("FuzzedReading", uses: "PointInput Points", isOfTests: true),
    module("TestSupport", isOfTests: true),
    module(
        "MadeArchives", uses: "ArchiveContract Basics Compression Geometry JSON SQLite TileArchive",
        isOfTests: true),
    .testTarget(
        name: "CoveyTests",
        dependencies: names(
            "Arguments Clustering Geometry HTTP Inspection JSON PointInput TestSupport TileArchive "
                + "TileService Tileset covey"),
        swiftSettings: plainTestSettings),
    .executableTarget(
        name: "interop-tiles", dependencies: ["TestSupport", "VectorTile"],
        path: "Tests/Interop/Tiles", exclude: ["check_tiles.py"], swiftSettings: testSettings),
    .executableTarget(
        name: "interop-places", dependencies: ["Geometry", "PointInput", "Points"],
        path: "Tests/Interop/Places", exclude: ["check_places.py"], swiftSettings: testSettings),
]

let fuzzers = Context.environment["COVEY_FUZZ"] == nil ? [] : Array(fuzzTargets.joined())
let targets = layers.joined() + testTargets + fuzzers
if let name = chosenTests?.first(where: { name in !targets.contains { $0.name == name } }) {
    fatalError("COVEY_TESTS: there is no \(name)")
}

/// What other packages may stand on; docs/library.md tells how.
let products: [Product] = [
    .executable(name: "covey", targets: ["covey"]),
    // Clusters in memory: it needs the C library alone, so it builds for phones as well.
    .library(
        name: "CoveyClusters",
        targets: ["LiveClusters", "Clustering", "Expressions", "Geometry", "JSON", "Points"]),
    .library(name: "CoveyTiles", targets: ["VectorTile"]),
    .library(
        name: "CoveyArchives",
        targets: ["ArchiveContract", "ClusterQueries", "Geometry", "JSON", "TileArchive"]),
]

let package = Package(
    name: "covey", products: products,
    targets: targets.filter { $0.type != .test || chosenTests?.contains($0.name) ?? true })
