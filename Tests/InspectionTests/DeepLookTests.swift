import ArchiveContract
import Geometry
import MessageTiles
import TestSupport
import Testing
import TileArchive
import VectorTile

@testable import Inspection

/// What a look at the parts of a check says, held against all points.
struct DeepLookTests {
    // MARK: Points by fingerprint

    private struct Entry {
        var fingerprint: UInt64
        var position: GridPoint
    }

    @Test func `a point is near where any of its kind is, also across the antimeridian`() {
        var random = SeededRandom(seed: 41)
        let steps = GridPoint.steps
        var met: [PointLookup.Answer: Int] = [:]
        for _ in 0..<200 {
            var lookup = PointLookup()
            let entries = (0..<30).map { _ in
                let x = Int32(random.next() % 400) - 200
                return Entry(
                    fingerprint: random.next() % 5,
                    position: GridPoint(
                        x: x < 0 ? x + Int32(steps - 1) : x, y: Int32(random.next() % 400)))
            }
            for entry in entries { lookup.insert(entry.fingerprint, at: entry.position) }
            lookup.sort()
            for _ in 0..<30 {
                let fingerprint = random.next() % 6
                let x = random.unit() * 400 - 200
                let place = (x: random.next() % 2 == 0 ? x + steps : x, y: random.unit() * 400)
                let slack = 1 + random.unit() * 40
                let own = entries.filter { $0.fingerprint == fingerprint }
                let isNear = own.contains { entry in
                    let dx = (Double(entry.position.x) - place.x).remainder(dividingBy: steps)
                    return abs(dx) <= slack && abs(Double(entry.position.y) - place.y) <= slack
                }
                let answer = lookup.look(for: fingerprint, x: place.x, y: place.y, slack: slack)
                #expect(answer == (own.isEmpty ? .unknown : isNear ? .near : .elsewhere))
                met[answer, default: 0] += 1
            }
        }
        #expect(met.count == 3 && met.values.allSatisfy { $0 > 300 })
    }

    // MARK: Hulls

    private static func isFound(_ stored: [GridPoint]?, of points: [GridPoint]) -> Bool {
        var findings = FindingList()
        HullCheck.check(stored, of: points, block: 0, &findings)
        return findings.hasErrors
    }

    @Test func `a hull may be rounded otherwise, and lacks no corner and has none too many`() {
        var random = SeededRandom(seed: 42)
        for count in [1, 2, 3, 10, 200, 200, 200] {
            let points = (0..<count).map { _ in
                GridPoint(x: Int32(random.next() % 90_000), y: Int32(random.next() % 90_000))
            }
            let hull = GridHull(of: points).corners
            #expect(!Self.isFound(hull, of: points) && Self.isFound(nil, of: points))
            #expect(Self.isFound([], of: points))
            for index in hull.indices {
                for (x, y) in [(1, 0), (0, -1), (-1, 1)] as [(Int32, Int32)] {
                    var other = hull
                    other[index].x += x
                    other[index].y += y
                    #expect(!Self.isFound(other, of: points))
                    other[index].x += x * 4_000
                    other[index].y += y * 4_000
                    // A corner in another place leaves its own uncovered, or lies outside.
                    #expect(Self.isFound(other, of: points))
                }
                guard hull.count > 3 else { continue }
                var other = hull
                other.remove(at: index)
                let (a, b) = (hull[(index + hull.count - 1) % hull.count], hull[index])
                let c = hull[(index + 1) % hull.count]
                let (dx, dy) = (Double(c.x - a.x), Double(c.y - a.y))
                let area = abs(dx * Double(b.y - a.y) - dy * Double(b.x - a.x))
                let height = area / (dx * dx + dy * dy).squareRoot()
                if height > 3 { #expect(Self.isFound(other, of: points)) }
                if height < 1 { #expect(!Self.isFound(other, of: points)) }
            }
        }
    }

    // MARK: Attributes

    /// Every attribute of one cluster, given another value of each type, is found.
    @Test(arguments: [ArchiveKind.single, .spread, .rules])
    func `a value of another type is found in every attribute`(kind: ArchiveKind) throws {
        let built = try BuiltArchive(kind)
        let kept = try built.bytes()
        let values: [TileValue] = [.string("x"), .double(-1.5), .bool(false)]
        var names: [String] = []
        try built.changeFeature { feature, _ in
            guard feature.isCluster, kind == .single || feature["parent"] != nil else {
                return false
            }
            names = feature.tags.map(\.key)
            return true
        }
        #expect(names.count > 6)
        for (index, name) in names.enumerated() {
            try built.restore(kept)
            try built.changeFeature { feature, _ in
                guard feature.isCluster, feature.tags.map(\.key) == names else { return false }
                // Whether it is a cluster at all is asked of its flag.
                feature[name] = name == "cluster" ? .string("x") : values[index % 3]
                return true
            }
            #expect(try !built.codes(deep: true).isDisjoint(with: Self.attributeCodes), "\(name)")
        }
    }

    /// Points that stand before it do not hide a cluster.
    @Test func `a wrong value is found in a cluster wherever it stands in its tile`() throws {
        let built = try BuiltArchive(.single)
        let kept = try built.bytes()
        var count = 0
        for id in try (1...3).flatMap(built.tiles) where count < 3 {
            var tile = try built.tile(id)
            let features = tile.layers[0].features
            guard let cluster = features.last(where: \.isCluster),
                let point = features.first(where: { !$0.isCluster })
            else { continue }
            let others = features.filter { $0.id != cluster.id && $0.id != point.id }
            tile.layers[0].features = [point] + others + [cluster]
            try built.write(tile, at: id)
            #expect(try built.codes(deep: true).isDisjoint(with: ["attributes"]))
            let last = tile.layers[0].features.count - 1
            let name = cluster.tags.map(\.key).first { $0.contains("sum") || $0.contains("total") }
            tile.layers[0].features[last][try #require(name)] = .double(-1.5)
            try built.write(tile, at: id)
            #expect(try built.codes(deep: true).contains("attributes"), "\(id)")
            try built.restore(kept)
            count += 1
        }
        #expect(count > 0)
    }

    private static let attributeCodes: Set = [
        "attributes", "cluster-id", "expansion-zoom", "abbreviated", "point-count", "sums",
        "number-type",
    ]

    // MARK: Spacing

    @Test(arguments: [ArchiveKind.single, .layers])
    func `two nodes too near are found in whichever tile`(kind: ArchiveKind) throws {
        let built = try BuiltArchive(kind)
        let kept = try built.bytes()
        var count = 0
        for zoom in 1...3 {
            for id in try built.tiles(at: zoom) {
                var tile = try built.tile(id)
                let features = tile.layers[0].features.indices.filter {
                    tile.layers[0].features[$0].isInner(tile.layers[0].extent)
                }
                guard tile.layers[0].name == "points", features.count > 1 else { continue }
                let (a, b) = (features[0], features[1])
                tile.layers[0].features[b].geometry = tile.layers[0].features[a].geometry
                tile.layers[0].features[b].move(x: 20, y: 20)
                try built.write(tile, at: id)
                #expect(try built.codes().contains("spacing"), "\(id)")
                try built.restore(kept)
                count += 1
            }
        }
        #expect(count > 3)
    }

    // MARK: Surveys

    @Test func `a zoom of several batches is told once`() throws {
        let built = try BuiltArchive(.single)
        var random = SeededRandom(seed: 43)
        for id in try built.tiles(at: 3).prefix(4) + built.tiles(at: 4).prefix(3) {
            try built.write(stored: (0..<300_000).map { _ in UInt8(random.next() & 255) }, at: id)
        }
        var told: [Int] = []
        _ = try Survey(of: built.archive, threads: 1) { told.append($0.zoom) }
        #expect(told == [0, 1, 2, 3, 4])
    }
}
