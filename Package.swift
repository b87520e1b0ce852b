// swift-tools-version: 6.2
import PackageDescription

/// What every Swift target here is held to: the newest language mode, no silent unsafe code,
/// no warning left standing.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableExperimentalFeature("Lifetimes"),
    .enableUpcomingFeature("ExistentialAny"),
]

/// Tests poke at raw bytes and C handles on purpose, so they are let off strict memory safety.
let testSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableExperimentalFeature("Lifetimes"),
    .enableUpcomingFeature("ExistentialAny"),
]

/// Names of targets, told apart by white space.
func names(_ text: String) -> [Target.Dependency] {
    text.split(whereSeparator: \.isWhitespace).map { .init(stringLiteral: String($0)) }
}

/// A module of the product; the names after `uses` are all that it may import.
func module(_ name: String, uses: String = "", resources: [Resource] = []) -> Target {
    .target(
        name: name, dependencies: names(uses), resources: resources,
        swiftSettings: settings)
}

/// A module and its tests, which may import all that it may, and the names after `testsUse`.
func part(
    _ name: String, uses: String = "", testsUse: String = "", resources: [Resource] = [],
    testResources: [Resource] = []
) -> [Target] {
    let tests = Target.testTarget(
        name: "\(name)Tests",
        dependencies: [.init(stringLiteral: name), "TestSupport"] + names(uses) + names(testsUse),
        resources: testResources, swiftSettings: testSettings)
    return [module(name, uses: uses, resources: resources), tests]
}

func command(_ name: String, uses: String) -> Target {
    .executableTarget(
        name: name, dependencies: names(uses), swiftSettings: settings)
}

/// A target for `scripts/fuzz`: it links only with a fuzzer, so it is left out of ordinary builds.
func fuzz(_ name: String, uses: String) -> Target {
    .executableTarget(
        name: "Fuzz\(name)", dependencies: names(uses),
        path: "Tests/Fuzz/\(name)", exclude: ["corpus"], swiftSettings: testSettings)
}

let fuzzTargets: [Target] = [
    fuzz("Arrow", uses: "PointInput"),
    fuzz("Archive", uses: "Geometry TileArchive"),
    fuzz(
        "Clusters",
        uses: "ArchiveContract ClusterQueries Compression Geometry SQLite TileArchive"),
    fuzz("Conversion", uses: "Conversion Geometry TileArchive"),
    fuzz("Databases", uses: "PointInput Points"),
    fuzz("Folders", uses: "Geometry TileArchive"),
    fuzz("Gzip", uses: "Compression"),
    fuzz("Metadata", uses: "ArchiveContract JSON TileArchive"),
    fuzz("Parquet", uses: "PointInput"),
    fuzz("PMTiles", uses: "ArchiveContract Compression Geometry TileArchive"),
    fuzz("Recipes", uses: "JSON Recipes"),
    fuzz("Requests", uses: "HTTP TileService"),
    fuzz("WKT", uses: "PointInput"),
    fuzz("JSON", uses: "JSON"),
    fuzz("FlatGeobuf", uses: "PointInput"),
    fuzz("GPX", uses: "PointInput"),
    fuzz("GeoJSON", uses: "PointInput"),
    fuzz("CSV", uses: "PointInput"),
    fuzz("Expressions", uses: "Expressions JSON Points"),
    fuzz("VectorTile", uses: "MessageTiles VectorTile"),
]

/// A C library of the system, found by pkg-config and installed by a package manager.
func library(_ name: String, pkgConfig: String, apt: String? = nil, brew: String) -> Target {
    .systemLibrary(
        name: name, pkgConfig: pkgConfig,
        providers: [.apt([apt ?? "\(pkgConfig)-dev"]), .brew([brew])])
}

/// `COVEY_TESTS=JSON,Points` leaves the tests of other modules out: a change to one module need not
/// wait for the tests of all to compile.
let chosenTests = Context.environment["COVEY_TESTS"]?.split(separator: ",").map { "\($0)Tests" }

let libraries: [Target] = [
    library("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev", brew: "sqlite"),
    library("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev", brew: "zlib"),
    library("CExpat", pkgConfig: "expat", apt: "libexpat1-dev", brew: "expat"),
    library("CDeflate", pkgConfig: "libdeflate", brew: "libdeflate"),
    library("CZstd", pkgConfig: "libzstd", brew: "zstd"),
    library("CSnappy", pkgConfig: "snappy", apt: "libsnappy-dev", brew: "snappy"),
    library("CLZ4", pkgConfig: "liblz4", brew: "lz4"),
    library("CBrotli", pkgConfig: "libbrotlidec", apt: "libbrotli-dev", brew: "brotli"),
    library("CProtobufC", pkgConfig: "libprotobuf-c", brew: "protobuf-c"),
    library("CMicrohttpd", pkgConfig: "libmicrohttpd", brew: "libmicrohttpd"),

    // Calls of the C library itself that Swift does not see: about memory, whole directories, copies
    // of a process, processors.
    .systemLibrary(name: "CMapping"),
    .systemLibrary(name: "CFileSystems"),
    .systemLibrary(name: "CForks"),
    .systemLibrary(name: "CProcessors"),
]

/// From the deepest up: each uses only what stands above it.
let modules: [[Target]] = [
    // The C library by one name, and files and processes behind types of our own.
    [module("CLibrary")],
    part("Platform", uses: "CFileSystems CForks CLibrary CProcessors"),
    part("Geometry", uses: "CLibrary"),
    part("Points", uses: "CLibrary CMapping Geometry"),
    part("Pipelines"),
    part("ParallelColumns", uses: "CLibrary Points"),
    part("Spelling"),
    part("JSON"),
    part("SQLite", uses: "CSQLite"),
    part("Compression", uses: "CBrotli CDeflate CLZ4 CSnappy CZlib CZstd"),
    part("Projections", uses: "CLibrary"),
    part("HTTP", uses: "CLibrary CMicrohttpd Platform"),
    part("Expressions", uses: "CLibrary JSON Points Spelling"),
    part(
        "PointInput",
        uses: """
            CExpat CLibrary Compression Expressions Geometry JSON Platform Points Projections SQLite
            """, testResources: [.copy("Resources/Samples")]),
    part(
        "Clustering", uses: "CLibrary Expressions Geometry JSON ParallelColumns Points Spelling",
        testResources: [.copy("Resources")]),
    part("LiveClusters", uses: "Clustering Geometry Points"),
    [.target(name: "CVectorTile", dependencies: ["CProtobufC"])],
    part(
        "VectorTile", uses: "CLibrary CProtobufC CVectorTile", testsUse: "MessageTiles",
        testResources: [.copy("Fixtures")]),
    part("ArchiveContract", uses: "Geometry JSON"),
    part("TileArchive", uses: "ArchiveContract CLibrary Compression Geometry JSON Platform SQLite"),
    part(
        "ClusterQueries", uses: "ArchiveContract Geometry JSON TileArchive VectorTile",
        testsUse: "Compression MessageTiles Recipes SQLite Tileset"),
    part("Recipes", uses: "ArchiveContract Clustering Expressions JSON PointInput Spelling"),
    part(
        "Conversion",
        uses: """
            ArchiveContract ClusterQueries Compression Geometry JSON Pipelines Platform TileArchive
            VectorTile
            """, testsUse: "Inspection Recipes SQLite Tileset"),
    part(
        "Tileset",
        uses: """
            ArchiveContract CLibrary Clustering Compression Conversion Expressions Geometry JSON
            ParallelColumns Pipelines Platform PointInput Points Recipes TileArchive VectorTile
            """, testsUse: "MessageTiles"),
    part(
        "Inspection",
        uses: """
            ArchiveContract ClusterQueries Clustering Compression Conversion Geometry JSON Pipelines
            Platform Points Recipes TileArchive VectorTile
            """, testsUse: "MessageTiles SQLite covey"),
    [.target(name: "CPageData", exclude: ["data"])],
    [.target(name: "CDemoData")],
    part(
        "TileService",
        uses: """
            ArchiveContract CLibrary CPageData ClusterQueries Compression Geometry HTTP JSON
            Platform TileArchive VectorTile
            """, testsUse: "Recipes SQLite Tileset", resources: [.embedInCode("Web")]),
    part("Arguments", uses: "Spelling", testResources: [.copy("Texts")]),
]

/// The programs, and what the tests of several modules share.
let programs: [Target] = [
    .target(
        name: "MessageTiles", dependencies: ["CProtobufC", "CVectorTile", "VectorTile"],
        path: "Tests/MessageTiles", swiftSettings: testSettings),
    command(
        "covey",
        uses: """
            ArchiveContract Arguments CDemoData CLibrary ClusterQueries Conversion Geometry HTTP
            Inspection JSON Platform PointInput Recipes Spelling TileArchive TileService
            Tileset VectorTile
            """),
    .testTarget(
        name: "CoveyTests",
        dependencies: [
            "Arguments", "HTTP", "Inspection", "JSON", "PointInput", "TileArchive", "TileService",
            "Tileset", "covey",
        ],
        swiftSettings: testSettings),
    command(
        "covey-bench",
        uses: """
            ArchiveContract CLibrary CZlib Clustering Compression Expressions Geometry JSON
            MessageTiles PointInput Points TileArchive Tileset VectorTile
            """),
    .executableTarget(
        name: "interop-tiles", dependencies: ["TestSupport", "VectorTile"],
        path: "Tests/Interop",
        exclude: [
            "Columns", "Import", "Serve", "Static", "archive_readers.py", "check_archive.py",
            "check_pmtiles.py", "check_tiles.py", "http_server.py", "range_server.py",
        ],
        swiftSettings: testSettings),
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: testSettings),
]

let targets =
    libraries + modules.joined() + programs
    + (Context.environment["COVEY_FUZZ"] == nil ? [] : fuzzTargets)

/// What other packages may stand on; docs/library.md tells how.
let products: [Product] = [
    .executable(name: "covey", targets: ["covey"]),
    // Clusters in memory: nothing of the system but its C library, so it builds for phones as well.
    .library(
        name: "CoveyClusters",
        targets: ["LiveClusters", "Clustering", "Expressions", "Geometry", "JSON", "Points"]),
    .library(name: "CoveyTiles", targets: ["VectorTile"]),
    .library(
        name: "CoveyArchives",
        targets: ["ArchiveContract", "ClusterQueries", "Geometry", "JSON", "TileArchive"]),
]

let package = Package(
    name: "covey",
    products: products,
    targets: targets.filter { $0.type != .test || chosenTests?.contains($0.name) ?? true })
