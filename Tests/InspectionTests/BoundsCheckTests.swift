import Geometry
import MessageTiles
import Testing
import TileArchive
import VectorTile

@testable import Inspection

/// How far from the bounds what is drawn may lie, from both sides of each limit.
struct BoundsCheckTests {
    /// What each zoom draws: by layer its extent and box, and between which tiles.
    private struct Drawn {
        var zoom: UInt8
        var boxes: [(extent: UInt32, box: WorldBox)]
        var columns: ClosedRange<UInt32>
        var rows: ClosedRange<UInt32>
    }

    private static func survey(_ zooms: [Drawn]) -> Survey {
        var survey = Survey()
        var digester = TileDigester(takesFingerprints: false)
        for zoom in zooms {
            let tile = Tile(
                layers: zoom.boxes.enumerated().map { index, layer in
                    .init(
                        name: "\(index)", extent: layer.extent,
                        features: [.init(.points([.init(x: 1, y: 1)]))])
                })
            var nodes: [DrawnNode] = []
            let opened = OpenedTile(
                group: TileGroup(TileID(z: zoom.zoom, x: 0, y: 0)), storedBytes: 1, isGzip: false,
                contents: .success(tile.packed()[...]))
            #expect(digester.digest(opened, into: &survey, nodes: &nodes) == nil)
            for (index, layer) in zoom.boxes.enumerated() {
                survey.layers[index].boxes[zoom.zoom] = layer.box
            }
            survey[zoom: zoom.zoom].columns = zoom.columns
            survey[zoom: zoom.zoom].rows = zoom.rows
        }
        return survey
    }

    private static func findings(
        _ bounds: WorldBox, _ zooms: [Drawn], showsAll: Bool = false, isExact: Bool = true
    ) -> [Finding] {
        var findings = FindingList()
        BoundsCheck(
            bounds: bounds.lonLatBox, survey: survey(zooms), showsAllPoints: showsAll,
            isExact: isExact
        ).check(&findings)
        return findings.all
    }

    private static var sides: [WritableKeyPath<WorldBox, Double>] {
        [\.minX, \.minY, \.maxX, \.maxY]
    }

    /// Moves a side of a box outwards.
    private static func widen(_ box: WorldBox, _ side: Int, by length: Double) -> WorldBox {
        var box = box
        box[keyPath: sides[side]] += side < 2 ? -length : length
        return box
    }

    /// Tiles 5 to 9 by 2 to 4 of zoom 4, from their middles.
    private static let box = WorldBox(
        minX: 5.5 / 16, minY: 2.5 / 16, maxX: 9.5 / 16, maxY: 4.5 / 16)

    private static func atFour(_ box: WorldBox, extents: [UInt32] = [4_096, 512]) -> Drawn {
        Drawn(zoom: 4, boxes: extents.map { ($0, box) }, columns: 5...9, rows: 2...4)
    }

    @Test(arguments: 0..<4, [[4_096, 512], [512, 4_096], [512], [64, 512, 4_096]])
    func `what is drawn lies within two units of the bounds, as wide as the coarsest layer's`(
        side: Int, extents: [UInt32]
    ) {
        let unit = 1 / 16 / Double(extents.min() ?? 1)
        for (units, isFound) in [(0, false), (1.9, false), (2.1, true)] {
            let drawn = Self.widen(Self.box, side, by: units * unit)
            let found = Self.findings(Self.box, [Self.atFour(drawn, extents: extents)])
            #expect(found.map(\.message) == (isFound ? ["features lie outside the bounds"] : []))
            let inexact = Self.findings(
                Self.box, [Self.atFour(drawn, extents: extents)], isExact: false)
            #expect(inexact.map(\.severity) == (isFound ? [.warning] : []))
            // Within them it may lie as deep as it likes, unless every point is shown.
            #expect(Self.findings(Self.widen(Self.box, side, by: 0.01), [Self.atFour(drawn)]) == [])
        }
    }

    @Test(arguments: 0..<4)
    func `bounds that are wider than a unit and a half and a hair are found where all is shown`(
        side: Int
    ) {
        let unit = 1.0 / 16 / 512
        for (wider, isFound) in [(0, false), (1.5 * unit, false), (1.5 * unit + 2e-6, true)] {
            let bounds = Self.widen(Self.box, side, by: wider)
            let found = Self.findings(bounds, [Self.atFour(Self.box)], showsAll: true)
            #expect(found.count == (isFound ? 1 : 0))
            #expect(found.allSatisfy { $0.message.contains("wider") && $0.severity == .error })
            #expect(Self.findings(bounds, [Self.atFour(Self.box)]) == [])
        }
    }

    @Test func `any zoom may reach the bounds, each by a unit and a half of its own`() {
        let coarse = Drawn(
            zoom: 2, boxes: [(512, Self.widen(Self.box, 2, by: 0.001))], columns: 1...2, rows: 0...1
        )
        for (beyond, isFound) in [(1.4, false), (1.6, true)] {
            let bounds = Self.widen(Self.box, 2, by: 0.001 + beyond / 4 / 512)
            let found = Self.findings(bounds, [coarse, Self.atFour(Self.box)], showsAll: true)
            #expect(found.count == (isFound ? 1 : 0))
        }
    }

    @Test func `bounds of a point need not be met by more than two units, and wider ones must be`()
    {
        let unit = 1.0 / 1_024 / 512
        for (width, height, isFound) in [
            (0.9e-6, 0.9e-6, false), (1.1e-6, 0.9e-6, true), (0.9e-6, 1.1e-6, true),
        ] {
            let bounds = WorldBox(minX: 0.4, minY: 0.3, maxX: 0.4 + width, maxY: 0.3 + height)
            let place = (x: bounds.maxX + 1.8 * unit, y: bounds.maxY + 1.8 * unit)
            let box = WorldBox(minX: place.x, minY: place.y, maxX: place.x, maxY: place.y)
            let drawn = Drawn(zoom: 10, boxes: [(512, box)], columns: 409...409, rows: 307...307)
            let found = Self.findings(bounds, [drawn], showsAll: true)
            #expect(found.count == (isFound ? 1 : 0), "\(width) \(height)")
        }
    }

    /// Maps ask from floor(west) to ceil(east) − 1, and likewise for rows.
    @Test func `a tile that a map never asks for is told at the first zoom that has one`() {
        var bounds = Self.box
        (bounds.maxX, bounds.maxY) = (9.0 / 16 + 0.001, 4.0 / 16 + 0.001)
        var drawn = Self.atFour(bounds)
        #expect(Self.findings(bounds, [drawn]) == [])
        let neverAsked = "a map never asks for tiles that the bounds leave out"
        let asked: [(ClosedRange<UInt32>, ClosedRange<UInt32>)] = [
            (4...9, 2...4), (5...10, 2...4), (5...9, 1...4), (5...9, 2...5),
        ]
        for (columns, rows) in asked {
            (drawn.columns, drawn.rows) = (columns, rows)
            let found = Self.findings(bounds, [drawn])
            #expect(found.map(\.message) == [neverAsked])
            #expect(found.first?.locations.first?.hasPrefix("zoom 4: ") == true)
            // Bounds over the antimeridian say nothing of columns.
            let (west, east) = (bounds.lonLatBox.west, bounds.lonLatBox.east)
            var turned = bounds.lonLatBox
            (turned.west, turned.east) = (east, west)
            var findings = FindingList()
            BoundsCheck(bounds: turned, survey: Self.survey([drawn]), showsAllPoints: true).check(
                &findings)
            #expect(findings.all.isEmpty == (rows == 2...4))
        }
    }

    @Test func `rows numbered from the other end are told as that, by a tile and two units`() {
        let bounds = WorldBox(minX: 5.5 / 16, minY: 1.0 / 16, maxX: 9.5 / 16, maxY: 2.0 / 16)
        let unit = 1.0 / 16 / 512
        for (off, code) in [(0, "row-numbering"), (1.9, "row-numbering"), (2.1, "bounds")] {
            let south = 1 - bounds.minY + 1.0 / 16 + off * unit
            let box = WorldBox(
                minX: bounds.minX, minY: south - 0.01, maxX: bounds.maxX, maxY: south)
            let drawn = Drawn(zoom: 4, boxes: [(512, box)], columns: 5...9, rows: 15...15)
            #expect(Self.findings(bounds, [drawn]).map(\.code) == [code])
        }
    }

    @Test func `rows that would fit turned over are no reason where columns do not fit`() {
        let bounds = WorldBox(minX: 5.5 / 16, minY: 1.0 / 16, maxX: 9.5 / 16, maxY: 2.0 / 16)
        let unit = 1.0 / 16 / 512
        for (west, east, code) in [
            // A tile is 512 units wide.
            (0, 0, "row-numbering"), (-513.9, 513.9, "row-numbering"), (-514.1, 0, "bounds"),
            (0, 514.1, "bounds"), (-900, -800, "bounds"), (800, 900, "bounds"),
        ] {
            let box = WorldBox(
                minX: bounds.minX + west * unit, minY: 15.2 / 16, maxX: bounds.maxX + east * unit,
                maxY: 15.8 / 16)
            let drawn = Drawn(zoom: 4, boxes: [(512, box)], columns: 5...9, rows: 15...15)
            #expect(Self.findings(bounds, [drawn]).map(\.code) == [code], "\(west) \(east)")
        }
    }

    /// Lines are in tiles that own no point: a map need not ask for them.
    @Test func `a zoom that owns no point asks for no tile`() {
        var survey = Self.survey([Self.atFour(Self.box)])
        (survey[zoom: 4].columns, survey[zoom: 4].rows) = (0...0, 15...15)
        for isOwned in [true, false] {
            if !isOwned { (survey[zoom: 4].columns, survey[zoom: 4].rows) = (nil, nil) }
            var findings = FindingList()
            BoundsCheck(bounds: Self.box.lonLatBox, survey: survey, showsAllPoints: false).check(
                &findings)
            #expect(findings.isEmpty == !isOwned)
        }
    }
}
