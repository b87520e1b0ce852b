import Compression
import Foundation
import Geometry
import Inspection
import JSON
import MessageTiles
import SQLite
import Synchronization
import TestSupport
import Testing
import TileArchive
import VectorTile

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

    private var recipe: String {
        let clusters =
            switch self {
            case .single:
                #"""
                {"radius": 60, "fields": ["bbox", "sqrt_point_count", "unique_location",
                "point_weight"], "weight": "n", "inherit": ["name"], "aggregates": {
                "total": "sum:n", "mean": "mean:n", "kinds": "histogram:kind",
                "common": "mode:kind", "low": "min:n"}}
                """#
            case .layers, .wrapped, .lone: #"{"radius": 60}"#
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
            case .spread: #""maxZoom": 4, "spread": 24, "heat": true"#
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
        var text = "lon,lat,name,kind,n\n"
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
            text += "\(wrapped),\(latitude),p\(number),\(kind),\(weight)\n"
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
            let folder = FileManager.default.temporaryDirectory.appending(
                path: "covey-kind-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            try Data(recipe.utf8).write(to: folder.appending(path: "recipe.json"))
            try Data(table(seed: 5).utf8).write(to: folder.appending(path: "points.csv"))
            try Data(table(seed: 6).utf8).write(to: folder.appending(path: "others.csv"))
            let process = Process()
            process.executableURL = Self.program
            process.arguments = ["build", "recipe.json", "-o", "built.mbtiles"]
            process.currentDirectoryURL = folder
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            let bytes = try Data(contentsOf: folder.appending(path: "built.mbtiles"))
            built[self] = bytes
            return bytes
        }
    }
}

/// A copy of a built archive, to be damaged; it goes away with its owner.
final class BuiltArchive {
    let path: String

    /// - Parameter keepsHash: whether the hash over all tiles stays, so that changed tiles show.
    init(_ kind: ArchiveKind, keepsHash: Bool = false) throws {
        path =
            FileManager.default.temporaryDirectory.appending(
                path: "covey-built-\(UUID().uuidString).mbtiles"
            ).path
        try kind.bytes().write(to: URL(filePath: path))
        if !keepsHash { try change("DELETE FROM metadata WHERE name = 'agg_tiles_hash'") }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var archive: Archive {
        get throws { try Archive(path: path) }
    }

    func change(_ sql: String) throws {
        try Database(path: path, mode: .readWriteCreate).execute(sql)
    }

    /// The codes of all findings.
    func codes(deep: Bool = false) throws -> Set<String> {
        Set(try findings(deep: deep).map(\.code))
    }

    func findings(deep: Bool = false) throws -> [Finding] {
        try Verification(of: archive, threads: 1, isDeep: deep).findings.all
    }

    /// All of it, to be put back later.
    func bytes() throws -> Data { try Data(contentsOf: URL(filePath: path)) }

    func restore(_ bytes: Data) throws { try bytes.write(to: URL(filePath: path)) }

    // MARK: Tiles

    /// All tiles of a zoom, by column and row from the south.
    func tiles(at zoom: Int) throws -> [TileID] {
        var tiles: [TileID] = []
        try TileList(archive, zooms: zoom...zoom).forEach { tiles.append($0.tile) }
        return tiles
    }

    func tile(_ id: TileID) throws -> VectorTile.Tile {
        var reader = try archive.openTiles()
        let bytes = try #require(try reader.inflatedTile(at: id, limit: 1 << 20))
        return try VectorTile.Tile(bytes.span)
    }

    func write(_ tile: VectorTile.Tile, at id: TileID) throws {
        var gzip = GzipCompressor(level: 6)
        try write(stored: gzip.compress(tile.packed().span), at: id)
    }

    func write(stored bytes: [UInt8], at id: TileID) throws {
        let database = try Database(path: path, mode: .readWriteCreate)
        var update = try database.prepare(
            """
            UPDATE tiles SET tile_data = ?1
            WHERE zoom_level = \(id.z) AND tile_column = \(id.x) AND tile_row = \(id.tmsRow)
            """)
        try update.run(binding: bytes.span, at: 1)
    }

    /// Changes the first feature, in the order of zooms and tiles, that `body` takes: it gets a
    /// feature within its tile, and says whether it has changed it.
    func changeFeature(
        zooms: ClosedRange<Int> = 0...4, _ body: (inout VectorTile.Tile.Feature, TileID) -> Bool
    ) throws {
        for zoom in zooms {
            for id in try tiles(at: zoom) {
                var tile = try tile(id)
                for layer in tile.layers.indices {
                    let extent = tile.layers[layer].extent
                    for index in tile.layers[layer].features.indices {
                        let feature = tile.layers[layer].features[index]
                        guard feature.isInner(extent), body(&tile.layers[layer].features[index], id)
                        else { continue }
                        return try write(tile, at: id)
                    }
                }
            }
        }
        Issue.record("no feature was changed")
    }
}

extension VectorTile.Tile.Feature {
    subscript(name: String) -> TileValue? {
        get { tags.first { $0.key == name }?.value }
        set {
            tags.removeAll { $0.key == name }
            if let newValue { tags.append(.init(name, newValue)) }
        }
    }

    var isCluster: Bool { self["cluster"] != nil }

    /// Whether it lies so far within its tile that no neighbour has a copy.
    func isInner(_ extent: UInt32) -> Bool {
        let margin = Int64(extent) / 32
        return coordinates.allSatisfy { $0 > margin && $0 < Int64(extent) - margin }
    }

    /// The position of a single point.
    var coordinates: [Int64] {
        geometry.dropFirst().map { Int64(Int32(bitPattern: $0 >> 1) ^ -Int32(bitPattern: $0 & 1)) }
    }

    mutating func move(x: Int32 = 0, y: Int32 = 0) {
        let (oldX, oldY) = (Int32(coordinates[0]), Int32(coordinates[1]))
        let points = [TilePoint(x: oldX + x, y: oldY + y)]
        geometry = VectorTile.Tile.Feature(.points(points)).geometry
    }
}
