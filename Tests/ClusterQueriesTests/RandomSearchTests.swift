import ArchiveContract
import ClusterQueries
import Geometry
import JSON
import TestSupport
import Testing
import TileArchive
import VectorTile

/// Shapes, searches by position and GeoJSON of random archives, held against brute force.
struct RandomSearchTests {
    let samples: [RandomArchive]

    init() throws { samples = try RandomArchive.all.get() }

    @Test(arguments: 0..<4)
    func `hull and box are those of the points`(_ sample: Int) throws {
        let sample = samples[sample]
        var query = try ClusterQuery(sample.archive)
        for (node, _) in sample.clusters {
            let id = Int64(node.id)
            let places = sample.places(node.leaves)
            #expect(try query.box(of: id) == WorldBox(wrapping: places).lonLatBox)
            let center = try query.cluster(id).position.worldPoint.x
            let laidOut = places.map { place in
                GridPoint(WorldPoint(x: place.x - (place.x - center).rounded(), y: place.y))
            }
            let hull = GridHull(of: laidOut).corners.map(\.worldPoint)
            #expect(try query.hull(of: id) == hull)
        }
    }

    /// How far apart two positions are, on a world that goes round.
    private static func distance(_ a: WorldPoint, _ b: WorldPoint) -> Double {
        let across = a.x - b.x - (a.x - b.x).rounded()
        return (across * across + (a.y - b.y) * (a.y - b.y)).squareRoot()
    }

    @Test(arguments: 0..<4)
    func `the nearest point is found within reach, and not beyond`(_ sample: Int) throws {
        let sample = samples[sample]
        var query = try ClusterQuery(sample.archive)
        let blocks = try query.blockBoxes()
        var random = SeededRandom(seed: 9)
        for index in 0..<60 {
            // Anywhere, and beside points, where several blocks come near.
            let beside = sample.leaves[Int(random.next() % 600)].position
            let place =
                index % 2 == 0
                ? WorldPoint(x: random.unit(), y: random.unit())
                : WorldPoint(x: beside.x + 0.02 * random.unit() - 0.01, y: beside.y).wrapped
            let distances = sample.leaves.map { Self.distance($0.position, place) }
            let least = try #require(distances.min())
            let found = try query.leaf(nearest: place, within: .infinity, among: blocks)
            let leaf = try #require(found)
            #expect(abs(distances[Int(leaf)] - least) < 1e-15)
            let within = try query.leaf(nearest: place, within: least * 1.001, among: blocks)
            #expect(within.map { abs(distances[Int($0)] - least) < 1e-15 } == true)
            let beyond = try query.leaf(nearest: place, within: least * 0.999, among: blocks)
            #expect(beyond == nil)
            let zoom = Int(random.next() % 8)
            let node = try query.node(at: place.lonLat, zoom: zoom)
            let expected =
                zoom > RandomArchive.deepest
                ? leaf..<leaf + 1 : sample.drawn[zoom][Int(leaf)]?.leaves
            let isNear = least <= 50 / (512 * Double(1 << zoom))
            #expect(node?.leaves == (isNear ? expected : nil))
        }
    }

    @Test(arguments: 0..<4)
    func `a box holds the points inside it, from any number on and in pages of any size`(
        _ sample: Int
    ) throws {
        let sample = samples[sample]
        var query = try ClusterQuery(sample.archive)
        let blocks = try query.blockBoxes()
        var random = SeededRandom(seed: 10)
        var total = 0
        for _ in 0..<40 {
            let (a, b) = (random.unit() * 360 - 180, random.unit() * 360 - 180)
            let (c, d) = (random.unit() * 160 - 80, random.unit() * 160 - 80)
            let box = LonLatBox(west: a, south: min(c, d), east: b, north: max(c, d))
            let start = Int64(random.next() % 600)
            let limit = 1 + Int(random.next() % 50)
            let inside = sample.leaves.filter { leaf in
                let place = leaf.position.lonLat
                let isBetween =
                    box.crossesAntimeridian
                    ? place.longitude >= a || place.longitude <= b
                    : (a...b).contains(place.longitude)
                return isBetween && (box.south...box.north).contains(place.latitude)
            }.map(\.number).filter { $0 >= start }
            var found: [Int64] = []
            var next: Int64? = start
            while let from = next {
                let page = try query.leaves(in: box, from: from, limit: limit, among: blocks)
                #expect(page.leaves.count <= limit)
                #expect(page.next == nil || page.leaves.count == limit)
                found += page.leaves.map(\.number)
                next = page.next
            }
            #expect(found == inside)
            total += inside.count
        }
        #expect(total > 1_000)
    }

    @Test(arguments: 0..<4)
    func `children are features with the geometry and attributes of their tiles`(
        _ sample: Int
    ) throws {
        let sample = samples[sample]
        var query = try ClusterQuery(sample.archive)
        var lookup = try sample.archive.openTiles()
        for (node, zooms) in sample.clusters where node.id % 3 == 0 {
            let zoom = zooms.upperBound + 1
            let children = try query.children(of: Int64(node.id)).nodes
            var drawn = DrawnNodes(
                children, at: zoom, zooms: 0...RandomArchive.deepest, query.description)
            for tile in drawn.tiles {
                let bytes = try #require(try lookup.inflatedTile(at: tile, limit: 1 << 24))
                try drawn.read(TileFeatures(bytes), of: tile)
            }
            let features = try drawn.features(&query)
            #expect(features.count == children.count)
            for (child, feature) in zip(children, features) {
                let expected = try #require(sample.drawn[zoom][Int(child.leaves.lowerBound)])
                try Self.check(feature, expected, zoom)
            }
        }
    }

    private static func check(
        _ feature: JSONValue, _ expected: RandomArchive.Drawn, _ zoom: Int
    ) throws {
        let feature = try #require(feature.asObject)
        #expect(feature["type"] == "Feature" && feature["id"] == JSONValue(exactly: expected.id))
        #expect(feature["layer"] == .string(expected.layer))
        let properties = feature["properties"]?.asObject?.members ?? []
        let carried = Dictionary(uniqueKeysWithValues: properties.map { ($0.key, $0.value) })
        #expect(carried == expected.tags.mapValues(\.json))
        let geometry = feature["geometry"]?.asObject
        let place = geometry?["coordinates"]?.asArray?.compactMap(\.asNumber) ?? []
        #expect(geometry?["type"] == "Point" && place.count == 2)
        let world = WorldPoint(LonLat(longitude: place[0], latitude: place[1])).wrapped
        // A tile knows it to a unit of 4,096 of its side.
        #expect(distance(world, expected.place) < 1 / Double(4_096 << zoom))
    }

    @Test(arguments: 0..<4)
    func `counts and weights of a tile are those of its features`(_ sample: Int) throws {
        let sample = samples[sample]
        var lookup = try sample.archive.openTiles()
        for (id, tile) in sample.tiles {
            let bytes = try #require(try lookup.inflatedTile(at: id, limit: 1 << 24))
            let features = TileFeatures(bytes)
            var counts: [String: [Int]] = [:]
            for layer in tile.layers {
                let own = layer.features.map { feature in
                    feature.tags.first { $0.key == "point_count" }?.value.json.asNumber
                }
                let known = own.compactMap { $0.map { Int($0) } }
                if !known.isEmpty { counts[layer.name] = known }
                let weights = try features.weights()[layer.name] ?? []
                #expect(weights.map(\.count) == own.map { $0 ?? 1 })
                let xs = layer.features.map { feature in
                    let value = feature.geometry[1]
                    return Int32(bitPattern: value >> 1) ^ -Int32(bitPattern: value & 1)
                }
                #expect(weights.map(\.x) == xs.map { Double($0) / Double(layer.extent) })
                #expect(weights.allSatisfy { (-0.1...1.1).contains($0.y) })
            }
            #expect(try features.counts() == counts)
            #expect(try features.weights()["none"] == nil)
        }
    }
}
