import ArchiveContract
import Geometry
import MessageTiles
import Testing
import TileArchive
import VectorTile

@testable import Inspection

/// What holds for layers that an archive tells of: their zooms, extents and numbers, and those beside them.
struct OwnLayerTests {
    private typealias Feature = MessageTiles.Tile.Feature

    /// Figures of a layer with one point at some zooms; the deepest may be finer.
    private static func figures(
        _ name: String, zooms: ClosedRange<UInt8>, extents: [UInt32] = [4_096],
        tags: [MessageTiles.Tile.Tag] = []
    ) throws -> LayerFigures {
        var survey = Survey()
        var digester = TileDigester(takesFingerprints: false)
        for (index, zoom) in zooms.enumerated() {
            let feature = Feature(.points([.init(x: 9, y: 9)]), tags: tags)
            let extent = extents[min(index, extents.count - 1)]
            let bytes = MessageTiles.Tile(layers: [
                .init(name: name, extent: extent, features: [feature])
            ]).packed()
            var nodes: [DrawnNode] = []
            let opened = OpenedTile(
                group: TileGroup(TileID(z: zoom, x: 0, y: 0)), storedBytes: bytes.count,
                isGzip: false, contents: .success(bytes[...]))
            #expect(digester.digest(opened, into: &survey, nodes: &nodes) == nil)
        }
        return try #require(survey.layers.first)
    }

    private static func layer(_ name: String, heat: Int?) -> ClusterDescription.Layer {
        var layer = ClusterDescription.Layer(
            name: name, leaves: 0..<5, minZoom: 0, maxZoom: 4, clustering: nil)
        layer.heatMaxZoom = heat
        return layer
    }

    private static func lines(
        _ layer: LayerFigures, said: (UInt8?, UInt8?), of layers: [ClusterDescription.Layer],
        extent: Int64? = nil
    ) -> [String] {
        let facts = CoveyFacts(
            ClusterDescription(layers: layers, buffer: 8, extent: extent, ids: .placed))
        let entry = VectorLayer(id: layer.name, fields: [], minZoom: said.0, maxZoom: said.1)
        var findings = FindingList()
        OwnLayerCheck(
            layer: layer, entry: entry, facts: facts, metadata: ArchiveMetadata(name: "a")
        ).check(&findings)
        return findings.all.map { finding in
            "\(finding.severity.rawValue) \(finding.code) \(finding.count): \(finding.message) "
                + "\(finding.locations)"
        }
    }

    @Test func `zooms are those that are said, or that others show in place of tiles left out`()
        throws
    {
        var figures = try Self.figures("p", zooms: 1...3)
        let wrong =
            "error layer-zooms 1: vector_layers gives a layer different zooms than its tiles have "
            + #"["p: 1 to 3"]"#
        func expect(_ said: (UInt8?, UInt8?), isRight: Bool) {
            let lines = Self.lines(figures, said: said, of: [Self.layer("p", heat: nil)])
            #expect(lines == (isRight ? [] : [wrong]), "\(said)")
        }
        for (said, isRight) in [
            ((1, 3), true), ((nil, nil), true), ((nil, 3), true), ((1, nil), true),
            ((0, 3), false), ((2, 3), false), ((1, 2), false), ((1, 4), false), ((nil, 4), false),
        ] as [((UInt8?, UInt8?), Bool)] { expect(said, isRight: isRight) }
        figures.pointsByZoom[5] = 2
        figures.pointsByZoom[6] = 0
        for (last, isRight) in [(2, false), (3, true), (4, true), (5, true), (6, false)]
            as [(UInt8, Bool)]
        { expect((1, last), isRight: isRight) }
    }

    @Test func `finer counts end where it is said, if the layer is that of one alone`() throws {
        let figures = try Self.figures("p_heat", zooms: 0...3)
        let deeper =
            "error heat-zoom 1: a layer of finer counts goes deeper than the archive says "
            + #"["p_heat: 3, not 2"]"#
        for (layers, lines) in [
            ([Self.layer("p", heat: 3)], []), ([Self.layer("p", heat: 4)], []),
            ([Self.layer("p", heat: 2)], [deeper]), ([Self.layer("p", heat: nil)], []),
            ([Self.layer("q", heat: 2)], []),
            ([Self.layer("p", heat: 2), Self.layer("q", heat: 1)], [deeper]),
            ([Self.layer("p", heat: 2), Self.layer("p", heat: 3)], []),
        ] as [([ClusterDescription.Layer], [String])] {
            #expect(Self.lines(figures, said: (0, 3), of: layers) == lines)
        }
    }

    @Test func `an extent is the one that is said, and of one zoom alone it may be finer`() throws {
        func wrong(_ extent: Int) -> [String] {
            [
                "error extent 1: a layer has another extent than the archive says "
                    + "[\"p: \(extent), not 4096\"]"
            ]
        }
        for (zooms, extents, lines) in [
            (0...3, [4_096], []), (0...3, [512], wrong(512)), (0...3, [8_192], wrong(8_192)),
            (0...3, [4_096, 4_096, 4_096, 8_192], []), (0...3, [4_096, 512], wrong(512)),
            (2...2, [4_096], []), (2...2, [8_192], []), (2...2, [2_048], wrong(2_048)),
        ] as [(ClosedRange<UInt8>, [UInt32], [String])] {
            let figures = try Self.figures("p", zooms: zooms, extents: extents)
            let said = (zooms.lowerBound, zooms.upperBound)
            let layers = [Self.layer("p", heat: nil)]
            #expect(Self.lines(figures, said: said, of: layers, extent: 4_096) == lines)
            #expect(Self.lines(figures, said: said, of: layers) == [])
        }
    }

    @Test func `numbers that are stored as fractions are counted`() throws {
        let tags: [MessageTiles.Tile.Tag] = [
            .init("cluster", .bool(true)), .init("point_count", .double(2)),
        ]
        let figures = try Self.figures("p", zooms: 0...2, tags: tags)
        #expect(
            Self.lines(figures, said: (0, 2), of: [Self.layer("p", heat: nil)]) == [
                "error number-type 3: a cluster's count, id or zoom is stored as a fraction and not "
                    + #"as a whole number ["p"]"#
            ])
    }

    @Test func `fractions of several batches are those of all`() throws {
        let tags: [MessageTiles.Tile.Tag] = [
            .init("cluster", .bool(true)), .init("point_count", .double(2)),
        ]
        var figures = try Self.figures("p", zooms: 0...2, tags: tags)
        figures.merge(try Self.figures("p", zooms: 3...4, tags: tags))
        #expect(figures.fractions == 5 && figures.clusters == 5 && figures.tiles == 5)
    }

    @Test func `counts are read in the letters of their layer`() throws {
        let layers = [("p", AbbreviatedCount.Letters.large), ("q", .small), ("r", .none)].map {
            name, letters in
            var layer = Self.layer(name, heat: nil)
            layer.clustering = .init(radius: RadiusByZoom(40), algorithm: "spaced")
            layer.clustering?.countLetters = letters
            return layer
        }
        let conventions = CoveyFacts(
            ClusterDescription(layers: layers, buffer: 8, ids: .placed)
        ).conventions
        for (text, right) in [("1K", ["p"]), ("1k", ["q"]), ("1000", ["r"]), ("2k", [])] {
            let tags: [MessageTiles.Tile.Tag] = [
                .init("cluster", .bool(true)), .init("point_count", .uint(1_000)),
                .init("point_count_abbreviated", .string(text)),
            ]
            let bytes = MessageTiles.Tile(
                layers: ["p", "q", "r"].map { name in
                    .init(name: name, features: [Feature(.points([.init(x: 9, y: 9)]), tags: tags)])
                }
            ).packed()
            var (survey, nodes) = (Survey(), [DrawnNode]())
            var digester = TileDigester(takesFingerprints: true, conventions)
            let opened = OpenedTile(
                group: TileGroup(TileID(z: 0, x: 0, y: 0)), storedBytes: 1, isGzip: false,
                contents: .success(bytes[...]))
            #expect(digester.digest(opened, into: &survey, nodes: &nodes) == nil)
            let names = zip(["p", "q", "r"], nodes).filter(\.1.cluster.isAbbreviatedWell).map(\.0)
            #expect(names == right, "\(text)")
        }
    }
}
