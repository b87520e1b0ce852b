import Foundation
import Synchronization
import TestSupport

/// A kind of archive that `covey build` makes; each is built once, and copied to be damaged.
enum ArchiveKind: String, CaseIterable, Sendable {
    /// One layer with aggregates and everything that clusters can carry.
    case single
    /// Two layers of clusters and one of plain points.
    case layers
    /// Points on both sides of the antimeridian.
    case wrapped
    /// One hierarchy for each value of an attribute.
    case groups
    /// Points on both sides of the antimeridian, over which nothing is clustered.
    case flat
    /// A single point.
    case lone
    /// Points that share places and are drawn apart, with finer counts beside the clusters.
    case spread
    /// Points of a few places at the world's edges, drawn apart and over them.
    case corner
    /// Clusters that lie at points, by rules that no other kind has.
    case rules
    /// Tiles left out where others show the same, below a tile that is too full.
    case covered

    /// What most damages are done to.
    static let usual: [ArchiveKind] = [.single, .layers, .wrapped, .groups]

    private var clusters: String {
        switch self {
        case .single:
            #"""
            {"radius": 60, "fields": ["bbox", "sqrt_point_count", "unique_location",
            "point_weight"], "weight": "n", "inherit": ["name"], "aggregates": {
            "total": "sum:n", "mean": "mean:n", "kinds": "histogram:kind",
            "common": "mode:kind", "low": "min:n"},
            "facets": ["kind", "n:3,6", "kind*day:month"], "facetZone": "Europe/Zurich"}
            """#
        case .layers, .lone: #"{"radius": 60}"#
        case .wrapped: #"{"radius": 60, "fields": ["parent", "parent_dx", "parent_dy"]}"#
        case .spread: #"{"fields": ["parent", "parent_dx", "parent_dy"]}"#
        case .flat: #"{"radius": 60, "wrap": false}"#
        case .groups: #"{"radius": 60, "groupBy": "kind"}"#
        case .corner: "false"
        case .covered: #"{"radius": 20, "maxZoom": 2}"#
        case .rules:
            #"""
            {"radius": {"0": 60, "2": 30}, "algorithm": "greedy", "minPoints": 3,
            "minUniqueLocations": 2, "wrap": false, "countLetters": "K",
            "position": "nearest", "fields": ["parent", "parent_dx", "parent_dy", "bbox"]}
            """#
        }
    }

    private var recipe: String {
        let first = #"{"name": "points", "sources": ["points.csv"], "clusters": \#(clusters)}"#
        let clustered =
            #", {"name": "others", "sources": ["others.csv"], "clusters": {"radius": 40}}"#
        let plain = #", {"name": "plain", "sources": ["others.csv"], "clusters": false}"#
        let more =
            switch self {
            case .layers: clustered + plain
            case .corner: clustered
            default: ""
            }
        let zooms =
            switch self {
            case .lone: #""minZoom": 8, "maxZoom": 10"#
            case .spread: #""maxZoom": 4, "spread": 24, "heat": true, "bins": "hexagon:60""#
            case .corner: #""maxZoom": 6, "spread": 90"#
            case .rules: #""maxZoom": 4, "buffer": 20, "extent": 512"#
            case .covered: #""maxZoom": 5, "variableDepth": true, "maxFeatures": 9"#
            default: #""maxZoom": 4"#
            }
        return #"{"name": "Sample", "tiles": {\#(zooms)}, "layers": [\#(first)\#(more)]}"#
    }

    /// A hundred points around a few towns, as a table.
    private func table(seed: UInt64) -> String {
        var random = SeededRandom(seed: seed)
        let middle = self == .wrapped || self == .flat ? 180.0 : 10
        let towns = (0..<6).map { _ in
            (middle + (random.unit() - 0.5) * 60, (random.unit() - 0.5) * 100)
        }
        var text = "lon,lat,name,kind,n\(self == .single ? ",day" : "")\n"
        for number in 0..<(self == .lone ? 1 : 100) {
            let town = towns[Int.random(in: 0..<6, using: &random)]
            // A few places are those of many points.
            func place(_ offset: Double) -> Double {
                self == .spread ? (offset / 6).rounded() * 6 : offset
            }
            if self == .corner {
                // Two places of two points each are one unit wide, others hold a ring.
                let place = [(180.0, 90.0), (-179.9999999, 85.0511)]
                let (x, y) =
                    number < 4
                    ? place[number / 2]
                    : (number % 2 > 0 ? -180 : 179.9999999, Double(number / 12) * 15 - 60)
                text += "\(x),\(y),p\(number),cafe,1\n"
                continue
            }
            let longitude = town.0 + place((random.unit() - 0.5) * 12)
            let latitude = town.1 + place((random.unit() - 0.5) * 12)
            let wrapped = longitude > 180 ? longitude - 360 : longitude
            let kind = ["cafe", "bar", "inn"].randomElement(using: &random)!
            let weight = Int.random(in: 1...9, using: &random)
            let day = self == .single ? ",2024-0\(1 + number % 5)-31T22:30:00Z" : ""
            text += "\(wrapped),\(latitude),p\(number),\(kind),\(weight)\(day)\n"
        }
        return text
    }

    private static let built = Mutex<[ArchiveKind: Data]>([:])

    /// `covey`, which lies beside its tests.
    static let program = URL(filePath: CommandLine.arguments[0])
        .deletingLastPathComponent().appending(path: "covey")

    /// The bytes of the archive.
    func bytes() throws -> Data {
        try Self.built.withLock { built in
            if let bytes = built[self] { return bytes }
            let bytes = try Self.bytes(
                recipe, ["points.csv": table(seed: 5), "others.csv": table(seed: 6)])
            built[self] = bytes
            return bytes
        }
    }

    /// The bytes of what a recipe makes of these inputs.
    static func bytes(_ recipe: String, _ inputs: [String: String]) throws -> Data {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "covey-kind-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in inputs.merging(["recipe.json": recipe], uniquingKeysWith: { $1 }) {
            try Data(text.utf8).write(to: folder.appending(path: name))
        }
        let process = Process()
        process.executableURL = program
        process.arguments = ["build", "recipe.json", "-o", "built.mbtiles"]
        process.currentDirectoryURL = folder
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return try Data(contentsOf: folder.appending(path: "built.mbtiles"))
    }
}
