import ArchiveContract
import Geometry
import MessageTiles
import Testing
import TileArchive
import VectorTile

@testable import Inspection

/// Points that are drawn apart: how far from their places, and with which legs.
struct SpreadCheckTests {
    private typealias Feature = MessageTiles.Tile.Feature
    private typealias Place = (x: Double, y: Double)

    private static let tile = TileID(z: 4, x: 8, y: 6)
    private static let extent: Int32 = 4_096

    private static let conventions: TileConventions = {
        var layer = ClusterDescription.Layer(
            name: "points", leaves: 0..<5, minZoom: 0, maxZoom: 3, clustering: nil)
        layer.spread = 20
        return TileConventions(ClusterDescription(layers: [layer], buffer: 8, ids: .placed))
    }()

    /// A point at a unit of the tile that says that its place is some units away.
    private static func point(_ x: Int32, _ y: Int32, from place: Place) -> Feature {
        let scale = tile.width / Double(extent)
        let world = WorldPoint(
            x: tile.origin.x + (Double(x) + place.x) * scale,
            y: tile.origin.y + (Double(y) + place.y) * scale)
        let degrees = world.lonLat
        return Feature(
            .points([.init(x: x, y: y)]),
            tags: [
                .init(PointSpread.attribute, .string("[\(degrees.longitude),\(degrees.latitude)]"))
            ])
    }

    private static func leg(_ start: (Int32, Int32), _ end: (Int32, Int32)) -> Feature {
        Feature(.lines([[.init(x: start.0, y: start.1), .init(x: end.0, y: end.1)]]))
    }

    /// What is found, without the tile in front.
    private static func lines(
        _ points: [Feature], _ legs: [Feature], maxZoom: UInt8? = 4, layer: String = "points"
    ) -> [String] {
        let bytes = MessageTiles.Tile(layers: [
            .init(name: layer, features: points), .init(name: "\(layer)_legs", features: legs),
        ]).packed()
        let opened = OpenedTile(
            group: TileGroup(tile), storedBytes: bytes.count, isGzip: false,
            contents: .success(bytes[...]))
        var (survey, nodes) = (Survey(), [DrawnNode]())
        var digester = TileDigester(takesFingerprints: true, conventions)
        #expect(digester.digest(opened, into: &survey, nodes: &nodes) == nil)
        var metadata = ArchiveMetadata(name: "a")
        metadata.maxZoom = 7
        metadata.vectorLayers = [
            VectorLayer(id: "points", fields: [], maxZoom: maxZoom),
            VectorLayer(id: "others", fields: [], maxZoom: 1),
        ]
        var findings = FindingList()
        SpreadCheck(conventions, metadata).check(opened, nodes.filter(\.saysItsPlace), &findings)
        return findings.all.flatMap { finding in
            #expect(finding.code == "spread" && finding.severity == .error)
            return finding.locations.map { "\(finding.message): \($0.dropFirst("4/8/6: ".count))" }
        }
    }

    private static let far = "a point is drawn too far from its place: a point at 2000,2000"
    private static let bare =
        "a point that is drawn apart has no leg to its place: a point at 2000,2000"

    @Test func `a point has a leg that begins at its place, to a unit and a half`() {
        for (place, start, isRight) in [
            ((300, 0), (2_300, 2_000), true), ((300, 0), (2_301, 1_999), true),
            ((300, 0), (2_298, 2_000), false), ((300, 0), (2_300, 2_002), false),
            ((300.4, 0), (2_301, 2_001), true), ((300.4, 0), (2_302, 2_000), false),
            ((-200, 90), (1_800, 2_090), true), ((-200, 90), (2_200, 2_090), false),
        ] as [(Place, (Int32, Int32), Bool)] {
            let lines = Self.lines(
                [Self.point(2_000, 2_000, from: place)], [Self.leg(start, (2_000, 2_000))])
            #expect(lines == (isRight ? [] : [Self.bare]), "\(place) \(start)")
        }
        // One that ends elsewhere, or begins where it should end, is none.
        let point = Self.point(2_000, 2_000, from: (300, 0))
        for leg in [
            Self.leg((2_300, 2_000), (2_001, 2_000)), Self.leg((2_000, 2_000), (2_300, 2_000)),
        ] {
            #expect(Self.lines([point], [leg]) == [Self.bare])
        }
    }

    @Test func `a point so near to its place that there is no line has none`() {
        for (place, isNear) in [
            ((1.4, 0), true), ((0, -1.4), true), ((1.6, 0), false), ((0, 1.6), false),
        ]
            as [(Place, Bool)]
        {
            #expect(
                Self.lines([Self.point(2_000, 2_000, from: place)], [])
                    == (isNear ? [] : [Self.bare]))
        }
        // Where a leg ends at it that is of no other point, that one is wrong.
        let near = Self.point(2_000, 2_000, from: (1, 0))
        let stray = Self.leg((2_300, 2_000), (2_000, 2_000))
        #expect(Self.lines([near], [stray]) == [Self.bare])
        let other = Self.point(2_000, 2_000, from: (300, 0))
        #expect(Self.lines([near, other], [stray]) == [])
    }

    /// Measured in pixels of the deepest zoom that the layer has, and by two units more.
    @Test func `a point is drawn no further off than points may be`() throws {
        let reach = PointSpread.reach * Double(Self.extent) / 512
        for (maxZoom, most) in [(4, reach), (5, reach / 2), (nil, reach / 8)] as [(UInt8?, Double)]
        {
            for (dx, dy, isFar) in [
                (most + 1.9, 0, false), (most + 2.1, 0, true), (0, -most - 1.9, false),
                (0, -most - 2.1, true), (most * 0.8, most * 0.6, false),
                (most * 0.8 + 2, most * 0.6 + 2, true),
            ] {
                let start = (Int32((2_000 + dx).rounded()), Int32((2_000 + dy).rounded()))
                let lines = Self.lines(
                    [Self.point(2_000, 2_000, from: (dx, dy))], [Self.leg(start, (2_000, 2_000))],
                    maxZoom: maxZoom)
                #expect(lines == (isFar ? [Self.far] : []), "\(dx) \(dy)")
            }
        }
    }

    @Test func `points of layers that do not spread say nothing`() {
        let point = Self.point(2_000, 2_000, from: (300, 0))
        #expect(Self.lines([point], [], layer: "others") == [])
        #expect(Self.lines([point], []) == [Self.bare])
    }
}
