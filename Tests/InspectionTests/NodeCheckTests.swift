import ArchiveContract
import Geometry
import Testing
import TileArchive

@testable import Inspection

/// What a cluster says of itself, each contradiction by its words.
struct NodeCheckTests {
    private static let id = PlaceID(layer: 0, place: 77, zoom: 3).number
    private static let tile = TileID(z: 2, x: 1, y: 1)

    private static func lines(
        in tile: TileID = tile, _ change: (inout DrawnNode) -> Void
    ) -> [String] {
        let layers = [0..<40, 40..<50].enumerated().map {
            ClusterDescription.Layer(
                name: "l\($0)", leaves: $1, minZoom: 0, maxZoom: 4, clustering: nil)
        }
        let facts = CoveyFacts(ClusterDescription(layers: layers, buffer: 8, ids: .placed))
        var check = NodeCheck(
            facts, hasIndex: false, covered: nil, ArchiveMetadata(name: "a"), TileLedgers())
        var node = DrawnNode(
            layer: 0, position: .init(x: 2_000, y: 2_000), extent: 4_096, hasID: true,
            id: UInt64(id))
        node.cluster = ClusterMarks(
            pointCount: 12, id: id, expansionZoom: 4, isFlagged: true, isAbbreviatedWell: true)
        change(&node)
        var checked = CheckedTiles()
        check.begin(tile, &checked)
        check.take(node)
        check.end(
            OpenedTile(
                group: TileGroup(tile), storedBytes: 1, isGzip: false, contents: .success([])),
            &checked)
        return checked.findings.all.map { finding in
            #expect(finding.severity == .error && finding.count == 1)
            return "\(finding.code): \(finding.message) at \(finding.locations[0])"
        }
    }

    private static func at(_ id: Int64 = id, _ tile: TileID = tile) -> String {
        " at \(tile): cluster \(id)"
    }

    private static let notID = "cluster-id: a cluster's cluster_id is not its feature id"
    private static let notZoom =
        "expansion-zoom: a cluster's expansion_zoom is not the zoom after the last"
    private static let past =
        "past-expansion: a cluster is drawn at a zoom at which it has come apart"
    private static let few = "point-count: a cluster has fewer than two points"
    private static let words =
        "abbreviated: point_count_abbreviated does not say what point_count does"
    private static let range = "leaf-range: a cluster claims points that its layer does not have"

    @Test func `a cluster that agrees with itself is let be, and so is what is none`() {
        #expect(Self.lines { _ in } == [])
        #expect(Self.lines { $0.cluster.pointCount = 40 } == [])
        #expect(Self.lines { $0.cluster.pointCount = 2 } == [])
        #expect(Self.lines { $0.cluster = ClusterMarks() } == [])
        // A copy is looked at in the tile that owns it.
        #expect(Self.lines { ($0.position.x, $0.cluster.expansionZoom) = (-1, 9) } == [])
    }

    @Test func `its id is that of its feature`() {
        for change in [{ $0.hasID = false }, { $0.id += 1 }] as [(inout DrawnNode) -> Void] {
            #expect(Self.lines(change) == [Self.notID + Self.at()])
        }
        let none = Self.lines { $0.cluster.id = -1 }
        #expect(
            none == [
                Self.notID + Self.at(-1), Self.notZoom + Self.at(-1), Self.range + Self.at(-1),
            ])
        let point = Self.lines { ($0.cluster.id, $0.id) = (7, 7) }
        #expect(point == [Self.notZoom + Self.at(7), Self.range + Self.at(7)])
    }

    @Test func `it comes apart at the zoom after that of its id, and is drawn down to that`() {
        for zoom in [3, 5, -1] as [Int64] {
            #expect(Self.lines { $0.cluster.expansionZoom = zoom } == [Self.notZoom + Self.at()])
        }
        for (zoom, isPast) in [(3, false), (4, true), (9, true)] as [(UInt8, Bool)] {
            let tile = TileID(z: zoom, x: 0, y: 0)
            #expect(
                Self.lines(in: tile) { _ in }
                    == (isPast ? [Self.past + Self.at(Self.id, tile)] : []))
        }
    }

    @Test func `it has as many points as its layer at most, and two at least`() {
        #expect(Self.lines { $0.cluster.pointCount = 1 } == [Self.few + Self.at()])
        #expect(Self.lines { $0.cluster.pointCount = 41 } == [Self.range + Self.at()])
        #expect(Self.lines { $0.cluster.isAbbreviatedWell = false } == [Self.words + Self.at()])
        let (second, third) = (
            PlaceID(layer: 1, place: 5, zoom: 3).number, PlaceID(layer: 2, place: 5, zoom: 3).number
        )
        for (id, points, isRight) in [(second, 10, true), (second, 11, false), (third, 2, false)]
            as [(Int64, Int64, Bool)]
        {
            let lines = Self.lines { node in
                (node.cluster.id, node.id, node.cluster.pointCount) = (id, UInt64(id), points)
            }
            #expect(lines == (isRight ? [] : [Self.range + Self.at(id)]))
        }
    }
}
