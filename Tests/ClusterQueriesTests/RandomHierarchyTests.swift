import ArchiveContract
import ClusterQueries
import Geometry
import JSON
import TestSupport
import Testing
import TileArchive
import VectorTile

/// Every answer about the hierarchy of random archives, in each container, held against brute force.
struct RandomHierarchyTests {
    let samples: [RandomArchive]

    init() throws { samples = try RandomArchive.all.get() }

    @Test(arguments: 0..<4)
    func `leaves are the points that were given, in several blocks`(_ sample: Int) throws {
        let sample = samples[sample]
        let query = try ClusterQuery(sample.archive)
        #expect(query.table.leaves(ofBlock: 0).count < 1_000)
        var known = Dictionary(uniqueKeysWithValues: sample.inputs.map { ($0.id, $0) })
        for (index, leaf) in sample.leaves.enumerated() {
            let given = known.removeValue(forKey: leaf.id ?? 0)
            let input = try #require(given)
            #expect(leaf.number == Int64(index) && leaf.layer == input.layer)
            #expect(leaf.tags.first { $0.key == "n" }?.value.json == .integer(Int64(input.number)))
            let place = WorldPoint(input.place).wrapped
            #expect(abs(leaf.position.x - place.x) < 0x1p-29)
            #expect(abs(leaf.position.y - place.y) < 0x1p-29)
            // Keys and texts, and eight bytes for the number.
            #expect(leaf.bytes == 1 + 8 + 4 + 900)
        }
        #expect(known.isEmpty)
    }

    @Test(arguments: 0..<4)
    func `every point has a node at each zoom, and clusters add up what their points carry`(
        _ sample: Int
    ) throws {
        let sample = samples[sample]
        for zoom in 0...RandomArchive.deepest {
            var next: Int64 = 0
            for node in sample.nodes(at: zoom) {
                #expect(node.leaves.lowerBound == next, "zoom \(zoom)")
                next = node.leaves.upperBound
            }
            #expect(next == 600)
        }
        for (node, zooms) in sample.clusters {
            let numbers = sample.numbers(node.leaves)
            func tag(_ name: String) -> JSONValue? { node.tags[name]?.json }
            #expect(tag("cluster") == true && tag("cluster_id") == JSONValue(exactly: node.id))
            #expect(tag("point_count") == .integer(Int64(numbers.count)))
            #expect(tag("point_count_abbreviated") == .string("\(numbers.count)"))
            #expect(tag("total") == .integer(Int64(numbers.reduce(0, +))))
            #expect(tag("least") == .integer(Int64(numbers.min() ?? -1)))
            #expect(tag("most") == .integer(Int64(numbers.max() ?? -1)))
            #expect(tag("expansion_zoom") == .integer(Int64(zooms.upperBound) + 1))
            #expect(node.tags["text"] == nil && node.tags["n"] == nil)
            let layers = Set(node.leaves.map { sample.leaves[Int($0)].layer })
            #expect(layers == [node.layer])
        }
    }

    @Test(arguments: 0..<4)
    func `clusters carry the fields that were asked for, and no others`(_ sample: Int) throws {
        let sample = samples[sample]
        for (node, zooms) in sample.clusters {
            let fields = Set(RandomArchive.fields.map(\.name))
            let carried = fields.intersection(node.tags.keys)
            guard sample.asksForFields else {
                #expect(carried.isEmpty)
                continue
            }
            let places = sample.places(node.leaves)
            let above =
                zooms.lowerBound == 0
                ? nil
                : sample.drawn[zooms.lowerBound - 1][Int(node.leaves.lowerBound)]
            var expected: Set = ["point_weight", "sqrt_point_count", "bbox"]
            if Set(places).count == 1 { expected.insert("unique_location") }
            if above != nil { expected.formUnion(["parent", "parent_dx", "parent_dy"]) }
            #expect(carried == expected)
            let count = Double(places.count)
            func number(_ name: String) -> Double? { node.tags[name]?.json.asNumber }
            #expect(number("point_weight") == count)
            #expect(number("sqrt_point_count") == (count.squareRoot() * 100).rounded() / 100)
            try check(node.tags["bbox"], WorldBox(wrapping: places).lonLatBox)
            guard let above else { continue }
            #expect(number("parent") == Double(above.id))
            let pixels = 512 * Double(1 << zooms.lowerBound)
            let east = above.place.x - node.place.x
            let way = ((east - east.rounded()) * pixels, (above.place.y - node.place.y) * pixels)
            // The parent's place is known to units of a tile that is half as large.
            #expect(abs((number("parent_dx") ?? .nan) - way.0) < 1)
            #expect(abs((number("parent_dy") ?? .nan) - way.1) < 1)
        }
    }

    private func check(_ value: TileValue?, _ box: LonLatBox) throws {
        guard case .string(let text)? = value else {
            Issue.record("no bbox")
            return
        }
        let edges = try JSONValue(parsing: text).asArray?.compactMap(\.asNumber) ?? []
        for (edge, expected) in zip(edges, [box.west, box.south, box.east, box.north]) {
            #expect(abs(edge - expected) < 1e-6)
        }
        #expect(edges.count == 4)
    }

    @Test(arguments: 0..<4)
    func `children, parents and what is drawn for a point are those of the tiles`(
        _ sample: Int
    ) throws {
        let sample = samples[sample]
        var query = try ClusterQuery(sample.archive)
        var random = SeededRandom(seed: 7)
        for (node, zooms) in sample.clusters {
            let id = Int64(node.id)
            let children = sample.nodes(at: zooms.upperBound + 1).filter {
                node.leaves.contains($0.leaves.lowerBound)
            }
            let page = try query.children(of: id)
            #expect(page.nodes.map(\.leaves) == children.map(\.leaves))
            #expect(page.nodes.map(\.isCluster) == children.map(\.isCluster))
            #expect(page.total == Int64(children.count))
            let offset = Int.random(in: -1...children.count + 1, using: &random)
            let limit = Int.random(in: 0...3, using: &random)
            let part = try query.children(of: id, offset: Int64(offset), limit: limit)
            #expect(part.nodes == Array(page.nodes.dropFirst(max(offset, 0)).prefix(limit)))
            #expect(part.total == page.total)
            let above =
                zooms.lowerBound == 0
                ? nil : sample.drawn[zooms.lowerBound - 1][Int(node.leaves.lowerBound)]
            let parent = try query.parent(of: id)
            #expect(parent.map { UInt64(query.description.id(of: $0)) } == above?.id)
            #expect(parent?.leaves == above?.leaves)
        }
        for leaf in 0..<Int64(600) where leaf % 7 == 0 {
            for zoom in 0...RandomArchive.deepest + 1 {
                let found = try query.node(holding: leaf, at: zoom)
                let expected =
                    zoom > RandomArchive.deepest
                    ? leaf..<leaf + 1 : sample.drawn[zoom][Int(leaf)]?.leaves
                #expect(found.leaves == expected)
            }
        }
        #expect(throws: ClusterQueryError.self) { try query.node(holding: 600, at: 0) }
    }

    @Test(arguments: 0..<4)
    func `pages of leaves are parts of all of them`(_ sample: Int) throws {
        let sample = samples[sample]
        var query = try ClusterQuery(sample.archive)
        var random = SeededRandom(seed: 8)
        for (node, _) in sample.clusters {
            let all = Array(node.leaves)
            let offset = Int.random(in: -2...all.count + 2, using: &random)
            let limit = Int.random(in: -1...all.count + 2, using: &random)
            let page = try query.leaves(
                of: Int64(node.id), offset: Int64(offset), limit: Int64(limit))
            let expected = all.dropFirst(max(offset, 0)).prefix(max(limit, 0))
            #expect(page.map(\.number) == Array(expected))
            #expect(page.map(\.id) == expected.map { sample.leaves[Int($0)].id })
        }
        #expect(throws: ClusterQueryError.self) { _ = try query.leaves(590..<601) }
    }

    @Test(arguments: 0..<4)
    func `points come block by block, and their texts are those of all together`(
        _ sample: Int
    ) throws {
        let sample = samples[sample]
        var query = try ClusterQuery(sample.archive)
        let numbers: Range<Int64> = 3..<Int64(sample.leaves.count) - 2
        var (found, blocks) = ([Leaf](), 0)
        var table = LeafTable()
        try query.forEachBlock(of: numbers) { leaves in
            found += leaves
            blocks += 1
            table.addColumns(for: leaves)
        }
        #expect(found.map(\.number) == Array(numbers))
        let last = query.table.block(ofLeaf: numbers.upperBound - 1)
        #expect(last > 0 && Int64(blocks) == last + 1)
        var whole = LeafTable()
        whole.addColumns(for: found)
        #expect(table.header == whole.header)
        #expect(found.map(table.line) == found.map(whole.line))
        #expect(throws: ClusterQueryError.self) { try query.forEachBlock(of: 590..<601) { _ in } }
    }
}

extension ClusterNode {
    var isCluster: Bool { if case .cluster = self { true } else { false } }
}
