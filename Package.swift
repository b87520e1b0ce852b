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

/// A module of the product; the names after `uses` are all that it may import.
func module(_ name: String, uses: [String] = [], resources: [Resource] = []) -> Target {
    .target(
        name: name, dependencies: uses.map { .init(stringLiteral: $0) }, resources: resources,
        swiftSettings: settings)
}

func tests(of name: String, uses: [String] = [], resources: [Resource] = []) -> Target {
    .testTarget(
        name: "\(name)Tests",
        dependencies: ([name, "TestSupport"] + uses).map { .init(stringLiteral: $0) },
        resources: resources, swiftSettings: testSettings)
}

func command(_ name: String, uses: [String]) -> Target {
    .executableTarget(
        name: name, dependencies: uses.map { .init(stringLiteral: $0) }, swiftSettings: settings)
}

/// A target for `scripts/fuzz`: it links only with a fuzzer, so it is left out of ordinary builds.
func fuzz(_ name: String, uses: [String]) -> Target {
    .executableTarget(
        name: "Fuzz\(name)", dependencies: uses.map { .init(stringLiteral: $0) },
        path: "Tests/Fuzz/\(name)", exclude: ["corpus"], swiftSettings: testSettings)
}

let fuzzTargets: [Target] = [
    fuzz("Archive", uses: ["Geometry", "TileArchive"]),
    fuzz(
        "Clusters",
        uses: [
            "ArchiveContract", "ClusterQueries", "Compression", "Geometry", "SQLite", "TileArchive",
        ]),
    fuzz("Databases", uses: ["PointInput", "Points"]),
    fuzz("Gzip", uses: ["Compression"]),
    fuzz("Metadata", uses: ["ArchiveContract", "JSON", "TileArchive"]),
    fuzz("PMTiles", uses: ["ArchiveContract", "Compression", "Geometry", "TileArchive"]),
    fuzz("Recipes", uses: ["JSON", "Recipes"]),
    fuzz("Requests", uses: ["HTTP", "TileService"]),
    fuzz("WKT", uses: ["PointInput"]),
    fuzz("JSON", uses: ["JSON"]),
    fuzz("FlatGeobuf", uses: ["PointInput"]),
    fuzz("GPX", uses: ["PointInput"]),
    fuzz("GeoJSON", uses: ["PointInput"]),
    fuzz("CSV", uses: ["PointInput"]),
    fuzz("Expressions", uses: ["Expressions", "JSON", "Points"]),
    fuzz("VectorTile", uses: ["MessageTiles", "VectorTile"]),
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

/// What containers of archives are made with; their tests too.
let containerUses = [
    "ArchiveContract", "CLibrary", "Compression", "Geometry", "JSON", "Platform", "SQLite",
]

let targets: [Target] =
    [
        library("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev", brew: "sqlite"),
        library("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev", brew: "zlib"),
        library("CExpat", pkgConfig: "expat", apt: "libexpat1-dev", brew: "expat"),
        library("CDeflate", pkgConfig: "libdeflate", brew: "libdeflate"),
        library("CProtobufC", pkgConfig: "libprotobuf-c", brew: "protobuf-c"),
        library("CMicrohttpd", pkgConfig: "libmicrohttpd", brew: "libmicrohttpd"),

        // Calls of the C library itself that Swift does not see: about memory, and whole directories.
        .systemLibrary(name: "CMapping"),
        .systemLibrary(name: "CFileSystems"),
        // The C library by one name, and files and processes behind types of our own.
        module("CLibrary"),
        module("Platform", uses: ["CFileSystems", "CLibrary"]),
        tests(of: "Platform", uses: ["CLibrary"]),
        module("Geometry", uses: ["CLibrary"]),
        tests(of: "Geometry"),
        module("Points", uses: ["CLibrary", "CMapping", "Geometry"]),
        tests(of: "Points", uses: ["Geometry"]),
        module("Pipelines"),
        tests(of: "Pipelines"),
        module("ParallelColumns", uses: ["CLibrary", "Points"]),
        tests(of: "ParallelColumns", uses: ["Points"]),
        module("Spelling"),
        tests(of: "Spelling"),
        module("JSON"),
        tests(of: "JSON"),
        module("SQLite", uses: ["CSQLite"]),
        tests(of: "SQLite"),
        module("Compression", uses: ["CDeflate", "CZlib"]),
        tests(of: "Compression", uses: ["CZlib"]),
        module("HTTP", uses: ["CLibrary", "CMicrohttpd", "Platform"]),
        tests(of: "HTTP", uses: ["CLibrary"]),
        module("Expressions", uses: ["CLibrary", "JSON", "Points", "Spelling"]),
        tests(of: "Expressions", uses: ["JSON", "Points"]),
        module(
            "PointInput",
            uses: [
                "CExpat", "CLibrary", "Compression", "Expressions", "Geometry", "Platform",
                "Points", "SQLite",
            ]),
        tests(
            of: "PointInput",
            uses: ["CLibrary", "Expressions", "Geometry", "JSON", "Points", "SQLite"],
            resources: [.copy("Resources/Samples")]),
        module(
            "Clustering",
            uses: [
                "CLibrary", "Expressions", "Geometry", "JSON", "ParallelColumns", "Points",
                "Spelling",
            ]),
        tests(
            of: "Clustering", uses: ["CLibrary", "Expressions", "Geometry", "JSON", "Points"],
            resources: [.copy("Resources")]),
        .target(name: "CVectorTile", dependencies: ["CProtobufC"]),
        module("VectorTile", uses: ["CLibrary", "CProtobufC", "CVectorTile"]),
        .target(
            name: "MessageTiles", dependencies: ["CProtobufC", "CVectorTile", "VectorTile"],
            path: "Tests/MessageTiles", swiftSettings: testSettings),
        tests(of: "VectorTile", uses: ["MessageTiles"], resources: [.copy("Fixtures")]),
        module("ArchiveContract", uses: ["Geometry", "JSON"]),
        tests(of: "ArchiveContract", uses: ["Geometry", "JSON"]),
        module("TileArchive", uses: containerUses),
        tests(of: "TileArchive", uses: containerUses),
        module(
            "ClusterQueries",
            uses: ["ArchiveContract", "Geometry", "JSON", "TileArchive", "VectorTile"]),
        tests(
            of: "ClusterQueries",
            uses: [
                "ArchiveContract", "Compression", "Geometry", "JSON", "SQLite", "TileArchive",
                "VectorTile",
            ]),
        module(
            "Recipes",
            uses: [
                "ArchiveContract", "Clustering", "Expressions", "JSON", "PointInput", "Spelling",
            ]),
        tests(of: "Recipes", uses: ["JSON"]),
        module(
            "Conversion",
            uses: [
                "ArchiveContract", "ClusterQueries", "Compression", "Geometry", "JSON", "Pipelines",
                "Platform", "TileArchive", "VectorTile",
            ]),
        tests(
            of: "Conversion",
            uses: [
                "ArchiveContract", "ClusterQueries", "Compression", "Geometry", "Inspection",
                "JSON", "Recipes", "TileArchive", "Tileset",
            ]),
        module(
            "Tileset",
            uses: [
                "ArchiveContract", "CLibrary", "Clustering", "Compression", "Expressions",
                "Geometry", "JSON", "ParallelColumns", "Pipelines", "Platform", "PointInput",
                "Points", "Recipes", "TileArchive", "VectorTile",
            ]),
        tests(
            of: "Tileset",
            uses: [
                "ArchiveContract", "Compression", "Geometry", "JSON", "MessageTiles",
                "ParallelColumns", "Pipelines", "Points", "Recipes", "TileArchive", "VectorTile",
            ]),
        module(
            "Inspection",
            uses: [
                "ArchiveContract", "ClusterQueries", "Clustering", "Compression", "Geometry",
                "JSON", "Pipelines", "Platform", "Points", "Recipes", "TileArchive", "VectorTile",
            ]),
        tests(
            of: "Inspection",
            uses: [
                "ArchiveContract", "Compression", "Geometry", "JSON", "MessageTiles", "SQLite",
                "TileArchive", "VectorTile", "covey",
            ]),
        .target(name: "CPageData", exclude: ["data"]),
        module(
            "TileService",
            uses: [
                "ArchiveContract", "CLibrary", "CPageData", "ClusterQueries", "Compression",
                "Geometry", "HTTP", "JSON", "Platform", "TileArchive", "VectorTile",
            ],
            resources: [.embedInCode("Web")]),
        tests(
            of: "TileService",
            uses: [
                "ClusterQueries", "Compression", "HTTP", "JSON", "Recipes", "SQLite",
                "TileArchive", "Tileset", "VectorTile",
            ]),
        module("Arguments", uses: ["Spelling"]),
        tests(of: "Arguments", uses: ["Spelling"]),
        command(
            "covey",
            uses: [
                "ArchiveContract", "Arguments", "CLibrary", "ClusterQueries", "Conversion",
                "Geometry", "HTTP", "Inspection", "JSON", "Platform", "PointInput", "Recipes",
                "Spelling", "TileArchive", "TileService", "Tileset", "VectorTile",
            ]),
        .testTarget(
            name: "CoveyTests", dependencies: ["JSON", "Tileset", "covey"],
            swiftSettings: testSettings),
        command(
            "covey-bench",
            uses: [
                "ArchiveContract", "CLibrary", "CZlib", "Clustering", "Compression", "Expressions",
                "Geometry", "JSON", "MessageTiles", "PointInput", "Points", "TileArchive",
                "Tileset", "VectorTile",
            ]),
        .executableTarget(
            name: "interop-tiles", dependencies: ["TestSupport", "VectorTile"],
            path: "Tests/Interop",
            exclude: [
                "Import", "Serve", "Static", "archive_readers.py", "check_archive.py",
                "check_pmtiles.py", "check_tiles.py", "http_server.py",
            ],
            swiftSettings: testSettings),
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: testSettings),
    ] + (Context.environment["COVEY_FUZZ"] == nil ? [] : fuzzTargets)

let package = Package(
    name: "covey",
    targets: targets.filter { $0.type != .test || chosenTests?.contains($0.name) ?? true })
