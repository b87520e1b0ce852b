import ArchiveContract
import Arguments
import ClusterQueries
import Geometry
import Inspection
import JSON
import TileArchive
import VectorTile

/// An answer about clusters, in the requested form.
struct ClusterAnswer: ~Copyable {
    var query: ClusterQuery
    let answers: ClusterAnswers
    let arguments: ParsedArguments

    init(_ query: consuming ClusterQuery, of archive: Archive, _ arguments: ParsedArguments) {
        self.query = query
        self.arguments = arguments
        let least = Int(archive.metadata.minZoom ?? 0)
        let zooms = least...max(Int(archive.metadata.maxZoom ?? 31), least)
        answers = ClusterAnswers(zooms: zooms, readTiles: LatestTiles(archive).read)
    }

    mutating func show(
        _ question: ClustersVerb.Question, of id: Int64, on console: Console
    ) throws {
        let isWholeAnswer =
            arguments[ClustersVerb.json]
            || arguments[ClustersVerb.geojson] && [.children, .hull].contains(question)
        guard question == .leaves || !isWholeAnswer else {
            return console.print(try json(question, of: id).text())
        }
        switch question {
        case .cluster: try show(try query.cluster(id), on: console)
        case .children:
            let zoom = try query.cluster(id).expansionZoom
            let children = try query.children(of: id)
            try show(children.nodes, at: zoom, on: console)
            if children.total != Int64(children.nodes.count) {
                console.say("these are the first \(children.nodes.count.grouped); there are more")
            }
        case .parent:
            let parent = try query.parent(of: id)
            if parent == nil { console.say("cluster \(id) has no parent: nothing holds it") }
            try show(parent, on: console)
        case .expansionZoom: console.print("\(try query.cluster(id).expansionZoom)")
        case .leaves: try showLeaves(of: id, on: console)
        case .hull: try showHull(of: id, on: console)
        case .bbox:
            let box = try query.box(of: id)
            console.print(
                [box.west, box.south, box.east, box.north].map(\.asExactDegrees)
                    .joined(separator: ","))
        case .tree:
            try showTree(query.cluster(id), depth: 0, indent: "", on: console)
        }
    }

    private mutating func show(_ cluster: ClusterRecord?, on console: Console) throws {
        let nodes = cluster.map { [ClusterNode.cluster($0)] } ?? []
        try show(nodes, at: cluster.map { Int($0.key.zoom) } ?? 0, on: console)
    }

    /// Prints nodes as drawn at a zoom.
    mutating func show(_ nodes: [ClusterNode], at zoom: Int, on console: Console) throws {
        if arguments[ClustersVerb.json] || arguments[ClustersVerb.geojson] {
            let features = try answers.features(of: nodes, at: zoom, &query)
            let answer =
                arguments[ClustersVerb.json]
                ? features.first ?? .null : GeoJSON.collection(features)
            return console.print(answer.text())
        }
        let leaves = try leaves(among: nodes)
        show(nodes.compactMap { row(of: $0, leaves) }, on: console)
    }

    /// The points among some nodes in leaf order, by their numbers: neighbours are read together.
    mutating func leaves(among nodes: [ClusterNode]) throws -> [Int64: Leaf] {
        var leaves: [Int64: Leaf] = [:]
        var rest = nodes[...]
        while !rest.isEmpty {
            let run = rest.leadingLeaves
            for leaf in try query.leaves(run) { leaves[leaf.number] = leaf }
            rest = rest.dropFirst(max(run.count, 1))
        }
        return leaves
    }

    func show(_ rows: [[String]], on console: Console) {
        var table = AlignedTable([
            .init("id"), .init("points"), .init("zooms", .left), .init("longitude"),
            .init("latitude"), .init("attributes", .left),
        ])
        for row in rows { table.add(row) }
        console.show(table.lines)
    }

    private func row(of node: ClusterNode, _ leaves: [Int64: Leaf]) -> [String]? {
        switch node {
        case .cluster(let record):
            let lonLat = record.position.worldPoint.wrapped.lonLat
            let first = record.parent.map { Int($0.zoom) + 1 } ?? 0
            return [
                "\(query.description.id(of: record))", record.leaves.count.grouped,
                "\(first)–\(record.key.zoom)",
                lonLat.longitude.asDegrees, lonLat.latitude.asDegrees, "",
            ]
        case .leaf(let number): return leaves[number].map(Self.row)
        }
    }

    static func row(of leaf: Leaf) -> [String] {
        let lonLat = leaf.position.wrapped.lonLat
        return [
            leaf.id.map { "\($0)" } ?? "–", "1", "–", lonLat.longitude.asDegrees,
            lonLat.latitude.asDegrees, leaf.attributesInWords,
        ]
    }

    private mutating func showHull(of id: Int64, on console: Console) throws {
        for corner in try query.hull(of: id).map(\.lonLat) {
            console.print("\(corner.longitude.asExactDegrees) \(corner.latitude.asExactDegrees)")
        }
    }

    private mutating func showTree(
        _ cluster: ClusterRecord, depth: Int, indent: String, on console: Console
    ) throws {
        let id = query.description.id(of: cluster)
        console.print(
            "\(indent)\(cluster.leaves.count.grouped) points, id \(id), "
                + "until zoom \(cluster.key.zoom)")
        guard depth < arguments[ClustersVerb.depth] else { return }
        let children = try query.children(of: id).nodes
        let leaves = try leaves(among: children)
        for child in children {
            switch child {
            case .leaf(let number):
                let words = leaves[number]?.attributesInWords ?? ""
                console.show(["\(indent)  · \(words)".cut(to: AlignedTable.lineWidth)])
            case .cluster(let record):
                try showTree(record, depth: depth + 1, indent: indent + "  ", on: console)
            }
        }
    }
}

extension Leaf {
    /// The attributes as `name=value`, with values in JSON.
    var attributesInWords: String {
        tags.map { "\($0.key)=\($0.value.json.text())" }.joined(separator: " ")
    }
}

/// The tiles of an archive that were read last, one of each zoom: the clusters of a tree are often in the tile of their
/// neighbour.
private final class LatestTiles {
    private let archive: Archive
    private var lookup: TileLookup?
    private var latest: [UInt8: (tile: TileID, features: TileFeatures?)] = [:]

    init(_ archive: Archive) { self.archive = archive }

    func read(_ drawn: inout DrawnNodes) throws {
        for tile in drawn.tiles {
            if let features = try features(of: tile) { try drawn.read(features, of: tile) }
        }
    }

    private func features(of tile: TileID) throws(ArchiveError) -> TileFeatures? {
        if let known = latest[tile.z], known.tile == tile { return known.features }
        if lookup == nil { lookup = try archive.openTiles() }
        let contents = try lookup?.inflatedTile(at: tile, limit: TileLookup.largestTile)
        let features = contents.map { TileFeatures($0) }
        latest[tile.z] = (tile, features)
        return features
    }
}
