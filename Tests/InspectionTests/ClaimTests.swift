import ArchiveContract
import Foundation
import Inspection
import JSON
import SQLite
import TestSupport
import Testing
import TileArchive

/// Everything that an archive says of itself is changed, one claim at a time, and each change is found.
///
/// What no check can know is not among them: texts for people (name, description, attribution, version,
/// type, generator), which say nothing of the tiles; where a map opens, which is a choice within bounds
/// and zooms; the order of points that are children of one cluster, which follows from positions finer
/// than those that are kept; and a point's position by less than a unit of the deepest tiles where no
/// mean or hull shows it, as nothing else tells where it lies.
struct ClaimTests {
    static let kinds: [ArchiveKind] = [.single, .layers, .groups, .spread, .rules, .covered]

    /// The value with one of its numbers, flags or texts changed, or one element left out; each way.
    private static func changes(
        of json: JSONValue, at path: String, _ random: inout SeededRandom
    ) -> [(path: String, json: JSONValue)] {
        switch json {
        case .integer(let number):
            let other = Bool.random(using: &random) ? number + 1 : max(number - 1, 0)
            return [(path, .integer(other == number ? number + 1 : other))]
        case .number(let number): return [(path, .number(number * 1.5 + 1))]
        case .unsigned(let number): return [(path, .unsigned(number & ~1 | ~number & 1))]
        case .bool(let flag): return [(path, .bool(!flag))]
        case .string(let text): return [(path, .string(text + "x"))]
        case .array(let elements):
            var all = elements.isEmpty ? [] : [("\(path)[…]", JSONValue.array(elements.dropLast()))]
            for (index, element) in elements.enumerated() {
                all += changes(of: element, at: "\(path)[\(index)]", &random).map { change in
                    var elements = elements
                    elements[index] = change.json
                    return (change.path, .array(elements))
                }
            }
            return all
        case .object(let object):
            return object.members.flatMap { member in
                changes(of: member.value, at: "\(path).\(member.key)", &random).map { change in
                    var object = object
                    object[member.key] = change.json
                    return (change.path, .object(object))
                }
            }
        case .null: return []
        }
    }

    private func isNoticed(_ built: BuiltArchive) -> Bool {
        // What cannot be read is noticed, too.
        ((try? built.codes(deep: true)) ?? ["refused"]) != []
    }

    private func set(_ row: String, _ json: JSONValue, in built: BuiltArchive) throws {
        let text = json.text().replacing("'", with: "''")
        try built.change("UPDATE metadata SET value = '\(text)' WHERE name = '\(row)'")
    }

    @Test(arguments: kinds)
    func `every number, flag and name in the account of clusters is checked`(
        kind: ArchiveKind
    ) throws {
        let built = try BuiltArchive(kind)
        let covey = try #require(try built.archive.metadata.covey)
        var random = SeededRandom(seed: 31)
        let changes = Self.changes(of: covey, at: "covey", &random)
        #expect(changes.count > 15)
        for change in changes {
            try set("covey", change.json, in: built)
            #expect(isNoticed(built), "\(change.path)")
        }
        try set("covey", covey, in: built)
        #expect(!isNoticed(built))
    }

    /// What the account says only where it is not as usual.
    private static let unsaid: [(name: String, value: JSONValue)] = [
        ("keepCoincident", true), ("minUniqueLocations", 3), ("groupBy", "name"),
        ("countLetters", "none"), ("heatMaxZoom", 2), ("spread", 30), ("heldMaxZoom", 4),
        ("clustered", false),
    ]

    @Test(arguments: [ArchiveKind.single, .layers, .covered])
    func `what the account leaves out is checked, too`(kind: ArchiveKind) throws {
        let built = try BuiltArchive(kind)
        let covey = try #require(try built.archive.metadata.covey)
        for (name, value) in Self.unsaid {
            var object = try #require(covey.asObject)
            let layers = object["layers"]?.asArray ?? []
            for index in layers.indices {
                var (changed, layer) = (layers, try #require(layers[index].asObject))
                // Of others than the first, what every clustered layer may have.
                guard index == 0 || name == "heldMaxZoom" && layer["radius"] != nil else {
                    continue
                }
                #expect(layer[name] != value)
                layer[name] = value
                changed[index] = .object(layer)
                object["layers"] = .array(changed)
                try set("covey", .object(object), in: built)
                #expect(isNoticed(built), "\(name) of \(index)")
            }
        }
        if kind != .covered {
            var object = try #require(covey.asObject)
            object["variableDepth"] = 3
            try set("covey", .object(object), in: built)
            #expect(isNoticed(built), "variableDepth")
        }
    }

    @Test func `layers of which no zooms are said are right`() throws {
        let built = try BuiltArchive(.layers)
        let metadata = try built.archive.metadata
        let layers = metadata.vectorLayers.map { layer in
            var layer = layer
            (layer.minZoom, layer.maxZoom) = (nil, nil)
            return layer.json
        }
        let stats = try #require(metadata.tileStats)
        try set("json", ["vector_layers": .array(layers), "tilestats": stats], in: built)
        #expect(!isNoticed(built))
    }

    @Test(arguments: kinds)
    func `every entry of the layers' zooms, names and fields is checked`(kind: ArchiveKind) throws {
        let built = try BuiltArchive(kind)
        let layers = try built.archive.metadata.vectorLayers
        let stats = try #require(try built.archive.metadata.tileStats)
        var random = SeededRandom(seed: 32)
        let whole = JSONValue.array(layers.map(\.json))
        for change in Self.changes(of: whole, at: "layers", &random) {
            try set("json", ["vector_layers": change.json, "tilestats": stats], in: built)
            #expect(isNoticed(built), "\(change.path)")
        }
    }

    @Test(arguments: kinds)
    func `every number of an index row is checked, to less than a unit of a tile`(
        kind: ArchiveKind
    ) throws {
        let built = try BuiltArchive(kind)
        var rows: [ClusterRecord] = []
        let scan = try built.archive.scanClusters()
        while case .cluster(let row)? = try scan.next() { rows.append(row) }
        var random = SeededRandom(seed: 33)
        for column in ["key", "leaves", "x", "y", "up"] {
            for _ in 0..<3 {
                let rows = column == "up" ? rows.filter { $0.parent != nil } : rows
                let row = try #require(rows.randomElement(using: &random))
                // A step is 4 cm, a unit of the deepest tiles 160 m or more.
                let by = ["x", "y"].contains(column) ? Int.random(in: 12...30, using: &random) : 1
                let kept = try built.bytes()
                try built.change(
                    "UPDATE OR REPLACE covey_clusters SET \(column) = \(column) + \(by) "
                        + "WHERE key = \(row.key.packed)")
                #expect(isNoticed(built), "\(column) of \(row.key)")
                try built.restore(kept)
            }
        }
        #expect(!isNoticed(built))
    }

    @Test(arguments: ["covey_clusters", "covey_leaf_blocks"])
    func `one table of clusters without the other is found`(table: String) throws {
        let built = try BuiltArchive(.single)
        try built.change("DROP TABLE \(table)")
        #expect(try built.codes() == ["cluster-tables"])
        #expect(try built.codes(deep: true).contains("recipe"))
    }

    @Test func `a hull that is not that of its points is found without a deep look`() throws {
        let built = try BuiltArchive(.single)
        try built.change("UPDATE covey_leaf_blocks SET hull = zeroblob(length(hull))")
        #expect(try built.codes() == ["hull"])
    }

    @Test func `two points that are swapped between clusters are found`() throws {
        let built = try BuiltArchive(.layers)
        var rows: [ClusterRecord] = []
        let scan = try built.archive.scanClusters()
        while case .cluster(let row)? = try scan.next() { rows.append(row) }
        let pairs = rows.filter { $0.leafCount == 2 && $0.key.zoom == 3 }
        let (a, b) = (try #require(pairs.first), try #require(pairs.dropFirst().first))
        try built.swapLeaves(Int(a.key.firstLeaf), Int(b.key.firstLeaf))
        #expect(try built.codes(deep: true).contains("moved"))
    }

    @Test func `a count that is stored as a double is found`() throws {
        for name in ["point_count", "cluster_id", "expansion_zoom"] {
            let built = try BuiltArchive(.single)
            try built.changeFeature { feature, _ in
                guard case .uint(let number)? = feature[name] else { return false }
                feature[name] = .double(Double(number))
                return true
            }
            #expect(try built.codes() == ["number-type"])
        }
    }
}
