import Foundation
import Geometry
import JSON
import MessageTiles
import TestSupport
import Testing
import VectorTile

/// What tiles hold beside points and clusters: where children come from, points drawn apart, and the
/// counts of a finer zoom.
struct CompanionTests {
    private static let maxZoom: UInt8 = 5

    /// Some hundred points, a third of which share places.
    private static func points() -> [SamplePoint] {
        var random = SeededRandom(seed: 11)
        var points: [SamplePoint] = []
        func add(_ count: Int, at place: LonLat) {
            for _ in 0..<count {
                points.append(SamplePoint(place: place, properties: [("n", .integer(1))]))
            }
        }
        for _ in 0..<300 {
            add(
                1,
                at: LonLat(
                    longitude: random.unit() * 360 - 180, latitude: random.unit() * 160 - 80))
        }
        for count in [2, 3, 7, 12, 13, 40] {
            add(
                count,
                at: LonLat(longitude: random.unit() * 100, latitude: random.unit() * 60))
        }
        add(9, at: LonLat(longitude: 180, latitude: 10))
        add(9, at: LonLat(longitude: 22.5, latitude: 0))
        return points
    }

    private static func bake(threads: Int = 2) throws -> BakedArchive {
        try BakedArchive(
            points(), layer: ["clusters": ["fields": ["parent", "parent_dx", "parent_dy"]]],
            tiles: ["maxZoom": .integer(Int64(maxZoom)), "spread": 20, "heat": true],
            threads: threads)
    }

    private let baked = Result { try Self.bake() }

    private func features(_ name: String, at zoom: UInt8) throws -> [DrawnFeature] {
        try baked.get().tiles.filter { $0.key.z == zoom }.flatMap { id, tile in
            tile.layers.filter { $0.name == name }.flatMap { layer in
                layer.features.map { DrawnFeature($0, in: id, extent: layer.extent) }
            }
        }
    }

    private func place(_ feature: DrawnFeature) throws -> WorldPoint? {
        guard case .string(let text)? = feature.tags["spread_of"] else { return nil }
        let numbers = try #require(JSONValue(parsing: text).asArray).compactMap(\.asNumber)
        return WorldPoint(LonLat(longitude: numbers[0], latitude: numbers[1])).wrapped
    }

    @Test func `the same bytes come from any number of threads`() throws {
        let bytes = try baked.get().bytes
        for threads in [1, 5] { #expect(try Self.bake(threads: threads).bytes == bytes) }
    }

    @Test func `points of one place stand apart on rings and spirals around it`() throws {
        let drawn = try features("points", at: Self.maxZoom).filter(\.isOwn)
        var around: [WorldPoint: [WorldPoint]] = [:]
        let world = 512 * Double(1 << Int(Self.maxZoom))
        for feature in drawn {
            guard let place = try place(feature) else { continue }
            let at = WorldPoint(
                DrawnPlace(feature).x, DrawnPlace(feature).y, extent: feature.extent,
                zoom: Self.maxZoom)
            var dx = (at.x - place.x)
            dx -= dx.rounded()
            let offset = WorldPoint(x: dx * world, y: (at.y - place.y) * world)
            around[
                WorldPoint(x: (place.x * 1e6).rounded(), y: (place.y * 1e6).rounded()), default: []
            ].append(offset)
        }
        #expect(around.values.map(\.count).sorted() == [2, 3, 7, 9, 9, 12, 13, 40])
        for offsets in around.values {
            let lengths = offsets.map { ($0.x * $0.x + $0.y * $0.y).squareRoot() }
            // A ring is wide enough for its points, and a spiral begins as far out as they are apart.
            let ring = max(20, Double(offsets.count) * 20 / (2 * .pi))
            if offsets.count <= 12 {
                #expect(lengths.allSatisfy { abs($0 - ring) < 0.3 })
            } else {
                #expect(lengths.allSatisfy { $0 > 19 && $0 < 100 })
            }
            for (index, a) in offsets.enumerated() {
                for b in offsets[..<index] {
                    #expect(a.squaredDistance(to: b).squareRoot() > 13)
                }
            }
        }
        // All others are drawn where they are.
        let apart = around.values.reduce(0) { $0 + $1.count }
        #expect(apart == 95 && drawn.count == 395)
    }

    @Test
    func
        `every point that is drawn apart has one leg from its place, in each tile that it touches`()
        throws
    {
        let baked = try baked.get()
        var ends: [String: Int] = [:]
        for (id, tile) in baked.tiles where id.z == Self.maxZoom {
            for layer in tile.layers where layer.name == "points_legs" {
                for feature in layer.features {
                    let own = DrawnFeature(feature, in: id, extent: layer.extent)
                    // MoveTo, LineTo: the second pair is the way to the point.
                    func zigzag(_ value: UInt32) -> Int {
                        Int(Int32(bitPattern: value >> 1) ^ -Int32(value & 1))
                    }
                    let end = (
                        own.x + zigzag(feature.geometry[4]), own.y + zigzag(feature.geometry[5])
                    )
                    let extent = Int(layer.extent)
                    if 0..<extent ~= end.0, 0..<extent ~= end.1 {
                        ends["\(id) \(end)", default: 0] += 1
                    }
                    let place = try #require(try self.place(own))
                    var dx = place.x - own.worldX
                    dx -= dx.rounded()
                    #expect(abs(dx) < 1e-6 && abs(place.y - own.worldY) < 1e-6)
                }
            }
        }
        #expect(ends.count == 95 && ends.values.allSatisfy { $0 == 1 })
    }

    @Test func `a heat layer counts every point once at each zoom, with more nodes than markers`()
        throws
    {
        for zoom in 0..<Self.maxZoom {
            let heat = try features("points_heat", at: zoom).filter(\.isOwn)
            let markers = try features("points", at: zoom).filter(\.isOwn)
            #expect(heat.reduce(0) { $0 + $1.pointCount } == 395)
            #expect(markers.reduce(0) { $0 + $1.pointCount } == 395)
            #expect(heat.count > markers.count)
            let finer = min(zoom + 2, zoom == Self.maxZoom - 1 ? Self.maxZoom : Self.maxZoom - 1)
            let deeper = try features("points", at: finer).filter(\.isOwn)
            #expect(
                heat.map(\.pointCount).sorted() == deeper.map(\.pointCount).sorted(), "\(zoom)")
        }
        #expect(try features("points_heat", at: Self.maxZoom).isEmpty)
    }

    @Test func `a cluster says into which it goes, and which way that stands`() throws {
        let baked = try baked.get()
        var clusters: [UInt64: DrawnFeature] = [:]
        for zoom in 0..<Self.maxZoom {
            for feature in try features("points", at: zoom) where feature.isOwn && feature.isCluster
            {
                if let id = feature.id, clusters[id] == nil { clusters[id] = feature }
            }
        }
        var children = 0
        for cluster in clusters.values {
            let id = try #require(cluster.id)
            var index = try baked.archive.openClusters()
            let record = try index.cluster(Int64(id))
            guard let parent = cluster.integer("parent") else {
                #expect(record.parent == nil && cluster.integer("parent_dx") == nil)
                continue
            }
            children += 1
            let above = try #require(clusters[UInt64(parent)])
            let zoom = try #require(above.integer("expansion_zoom"))
            #expect(parent % 32 == zoom - 1 && record.parent?.zoom == UInt8(zoom - 1))
            let world = 512 * Double(1 << zoom)
            var east = above.worldX - cluster.worldX
            east -= east.rounded()
            // Tiles draw both to a unit, of the zoom at which each is first met.
            let slack = 1.5 + 512 / 4096 * world / (512 * Double(1 << Int(above.tile.z)))
            let (dx, dy) = (cluster.signed("parent_dx"), cluster.signed("parent_dy"))
            #expect(abs(Double(dx ?? 9_999) - east * world) <= slack)
            #expect(
                abs(Double(dy ?? 9_999) - (above.worldY - cluster.worldY) * world) <= slack)
        }
        #expect(children > 20)
    }
}

private struct DrawnPlace {
    let x: Double
    let y: Double

    init(_ feature: DrawnFeature) {
        x = Double(Int(feature.tile.x) * feature.extent + feature.x)
        y = Double(Int(feature.tile.y) * feature.extent + feature.y)
    }
}

extension WorldPoint {
    fileprivate init(_ x: Double, _ y: Double, extent: Int, zoom: UInt8) {
        let world = Double(extent) * Double(1 << Int(zoom))
        self.init(x: x / world, y: y / world)
    }
}

extension DrawnFeature {
    fileprivate var worldX: Double {
        DrawnPlace(self).x / (Double(extent) * Double(1 << Int(tile.z)))
    }
    fileprivate var worldY: Double {
        DrawnPlace(self).y / (Double(extent) * Double(1 << Int(tile.z)))
    }

    /// Tags may hold negative numbers in any of the two signed kinds.
    fileprivate func signed(_ name: String) -> Int? { integer(name) }
}
