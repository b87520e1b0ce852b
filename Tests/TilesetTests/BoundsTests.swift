import Foundation
import Geometry
import TestSupport
import Testing

/// A client that obeys the bounds of an archive is shown every feature.
struct BoundsTests {
    /// The tiles of a zoom that MapLibre GL JS asks for, as its source has it (tile_bounds.ts).
    struct Requests {
        let bounds: LonLatBox

        func contain(_ tile: TileID) -> Bool {
            let size = pow(2, Double(tile.z))
            func x(_ longitude: Double) -> Double { (180 + longitude) / 360 }
            func y(_ latitude: Double) -> Double {
                let radians = Double.pi / 4 + latitude * .pi / 360
                return (180 - 180 / Double.pi * log(tan(radians))) / 360
            }
            let xs = (x(bounds.west) * size).rounded(.down)..<(x(bounds.east) * size).rounded(.up)
            let ys = (y(bounds.north) * size).rounded(.down)..<(y(bounds.south) * size).rounded(.up)
            return xs.contains(Double(tile.x)) && ys.contains(Double(tile.y))
        }
    }

    /// Shallow zooms draw it up to half a unit of theirs away, which is kilometres.
    @Test(arguments: [(12.3456, 45.678), (-122.41942, 37.77493), (178.2, -40.3)])
    func `bounds of one point are where the deepest zoom draws it`(
        longitude: Double, latitude: Double
    ) throws {
        let place = LonLat(longitude: longitude, latitude: latitude)
        let baked = try BakedArchive(
            [SamplePoint(place: place)], layer: [:], tiles: ["maxZoom": 7])
        let bounds = try #require(baked.archive.metadata.bounds)
        let unit: Double = 360.0 / 4_096 / 128
        #expect(abs(bounds.west - longitude) < unit && abs(bounds.south - latitude) < unit)
        #expect(bounds.width < 1e-5 && bounds.north - bounds.south < 1e-5)
        try Self.check([place])
    }

    static func check(_ positions: [LonLat], clusters: Bool = true) throws {
        let baked = try BakedArchive(
            positions.map { SamplePoint(place: $0) },
            layer: clusters ? ["clusters": ["radius": 40]] : ["clusters": false],
            tiles: ["maxZoom": 7])
        let bounds = try #require(baked.archive.metadata.bounds)
        let requests = Requests(bounds: bounds)
        for zoom in UInt8(0)...7 {
            let shown = baked.nodes(at: zoom).filter { requests.contain($0.tile) }
            #expect(
                shown.reduce(0) { $0 + $1.pointCount } == positions.count,
                "z\(zoom) of \(positions) in \(bounds)")
        }
        let world = LonLatBox.world
        #expect(bounds.west >= world.west && bounds.east <= world.east)
        #expect(bounds.south >= world.south && bounds.north <= world.north)
        let center = try #require(baked.archive.metadata.center)
        #expect(bounds.contains(center), "\(center) in \(bounds)")
    }

    @Test(arguments: [
        [(0, 0)], [(0, 51)], [(12, 0)], [(-0.005, 10)], [(179.99, 0)], [(180, 10)], [(-180, -10)],
        [(10, 90), (20, -90)], [(-179, 0), (178, 0)], [(90, 66.51326044311186), (45, 40)],
        [(179.9999, 1), (0, 1)], [(-45, 0.0001), (-45.0001, 0)],
    ])
    func `points on edges, at the antimeridian and at the poles are asked for`(
        positions: [(Double, Double)]
    ) throws {
        let positions = positions.map { LonLat(longitude: $0.0, latitude: $0.1) }
        try Self.check(positions)
        try Self.check(positions, clusters: false)
    }

    @Test(arguments: 0..<12)
    func `points anywhere near edges and corners are asked for`(seed: UInt64) throws {
        var random = SeededRandom(seed: 100 + seed)
        // An edge of some zoom, on it or beside it by up to a few units of any zoom.
        func nearEdge() -> Double {
            let tiles = 1 << Int(random.next() % 8)
            let edge = Double(random.next() % UInt64(tiles + 1)) / Double(tiles)
            let offset = [0, 1e-9, 1e-6, 1e-5, 1e-4, 3e-4][Int(random.next() % 6)]
            return edge + (random.unit() * 2 - 1) * offset
        }
        let positions = (0..<2 + Int(random.next() % 4)).map { _ in
            let x = nearEdge()
            let wrapped = x - x.rounded(.down)
            return WorldPoint(x: wrapped, y: min(max(nearEdge(), 0), 1)).lonLat
        }
        try Self.check(positions)
    }
}
