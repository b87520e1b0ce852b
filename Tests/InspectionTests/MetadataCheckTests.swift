import ArchiveContract
import Geometry
import MessageTiles
import Testing
import TileArchive
import VectorTile

@testable import Inspection

/// What metadata say, held against tiles that are made for it: each sentence, and how bad it is.
struct MetadataCheckTests {
    private typealias Feature = MessageTiles.Tile.Feature
    private typealias Layer = MessageTiles.Tile.Layer

    /// A point in the middle of its tile.
    private static func feature(_ tags: [MessageTiles.Tile.Tag] = []) -> Feature {
        Feature(.points([.init(x: 2_048, y: 2_048)]), tags: tags)
    }

    private static func survey(_ tiles: [(TileID, [Layer])]) -> Survey {
        var survey = Survey()
        var digester = TileDigester(takesFingerprints: false)
        for (id, layers) in tiles {
            let bytes = MessageTiles.Tile(layers: layers).packed()
            var nodes: [DrawnNode] = []
            let opened = OpenedTile(
                group: TileGroup(id), storedBytes: bytes.count, isGzip: false,
                contents: .success(bytes[...]))
            #expect(digester.digest(opened, into: &survey, nodes: &nodes) == nil)
        }
        return survey
    }

    /// Zooms 1 to 3 of the tile in the north-west, each with a layer p of one attribute.
    private static let usual = survey(
        (UInt8(1)...3).map { zoom in
            (
                TileID(z: zoom, x: 0, y: 0),
                [Layer(name: "p", features: [feature([.init("n", .uint(1))])])]
            )
        })

    private static func metadata() -> ArchiveMetadata {
        var metadata = ArchiveMetadata(name: "a")
        metadata.format = "pbf"
        (metadata.minZoom, metadata.maxZoom) = (1, 3)
        // From the middle of the tile of zoom 3 to that of zoom 1.
        let box = WorldBox(minX: 1 / 16, minY: 1 / 16, maxX: 1 / 4, maxY: 1 / 4).lonLatBox
        (metadata.bounds, metadata.center) = (box, box.center)
        metadata.centerZoom = 2
        metadata.vectorLayers = [
            VectorLayer(id: "p", fields: [.init("n", .number)], minZoom: 1, maxZoom: 3)
        ]
        return metadata
    }

    /// Those of a layer p of three points.
    private static func facts(
        _ leaves: Int64 = 3, change: (inout ClusterDescription) -> Void = { _ in }
    ) -> CoveyFacts {
        let layer = ClusterDescription.Layer(
            name: "p", leaves: 0..<leaves, minZoom: 1, maxZoom: 2,
            clustering: .init(radius: RadiusByZoom(40), algorithm: "spaced"))
        var description = ClusterDescription(layers: [layer], buffer: 8, ids: .placed)
        change(&description)
        return CoveyFacts(description)
    }

    /// What is found, each in a line; first of another program's archive, then of Covey's.
    private static func findings(
        _ survey: Survey = usual, isOwn: Bool = false, _ change: (inout ArchiveMetadata) -> Void
    ) -> [String] {
        var metadata = metadata()
        change(&metadata)
        let check = MetadataCheck(metadata: metadata, survey: survey, facts: isOwn ? facts() : nil)
        return check.findings().all.map { finding in
            let places =
                finding.locations.isEmpty ? "" : " [\(finding.locations.joined(separator: "; "))]"
            return "\(finding.severity.rawValue) \(finding.code): \(finding.message)\(places)"
        }
    }

    @Test func `what is right is not found, of Covey's archives and others`() {
        for isOwn in [true, false] { #expect(Self.findings(isOwn: isOwn) { _ in } == []) }
    }

    @Test
    func `zooms that leave tiles out are errors, and too many are so where they are promised`() {
        for (least, most, words, isError) in [
            (2, 3, "minzoom is 2, but the tiles' is 1", true),
            (0, 3, "minzoom is 0, but the tiles' is 1", false),
            (1, 2, "maxzoom is 2, but the tiles' is 3", true),
            (1, 4, "maxzoom is 4, but the tiles' is 3", false),
        ] as [(UInt8, UInt8, String, Bool)] {
            for isOwn in [true, false] {
                let found = Self.findings(isOwn: isOwn) { metadata in
                    (metadata.minZoom, metadata.maxZoom) = (least, most)
                }
                #expect(found == ["\(isError || isOwn ? "error" : "warning") zooms: \(words)"])
            }
        }
        #expect(Self.findings { ($0.minZoom, $0.maxZoom) = (nil, nil) } == [])
    }

    @Test func `an archive without tiles is told as that`() {
        let none = Self.findings(Survey()) { $0.vectorLayers = [] }
        #expect(none == ["warning no-tiles: the archive has no tiles"])
        #expect(
            Self.findings { $0.format = "png" } == ["error format: the format is not pbf [png]"])
    }

    @Test func `bounds and a center are held against each other and the tiles`() {
        for (isOwn, severity) in [(true, "error"), (false, "warning")] {
            #expect(
                Self.findings(isOwn: isOwn) { $0.bounds = nil }
                    == (isOwn ? ["error bounds: there are no bounds"] : []))
            let outside = Self.findings(isOwn: isOwn) { metadata in
                metadata.center = LonLat(longitude: 1, latitude: 60)
            }
            #expect(
                outside == ["\(severity) center: the center lies outside the bounds [1.0,60.0]"])
            for zoom in [0, 4] as [UInt8] {
                #expect(
                    Self.findings(isOwn: isOwn) { $0.centerZoom = zoom } == [
                        "\(severity) center: the center's zoom lies outside the archive's zooms [\(zoom)]"
                    ])
            }
            for zoom in [1, 3] as [UInt8] {
                #expect(Self.findings(isOwn: isOwn) { $0.centerZoom = zoom } == [])
            }
            #expect(Self.findings(isOwn: isOwn) { $0.center = nil } == [])
        }
        // Without zooms any will do.
        let free = Self.findings { metadata in
            (metadata.minZoom, metadata.maxZoom, metadata.centerZoom) = (nil, nil, 31)
        }
        #expect(free == [])
    }

    @Test func `layers are listed, and those that are listed are there`() {
        for (isOwn, severity) in [(true, "error"), (false, "warning")] {
            let more = Self.findings(isOwn: isOwn) { metadata in
                metadata.vectorLayers.append(VectorLayer(id: "q", fields: []))
            }
            #expect(
                more == [
                    "\(severity) vector-layers: vector_layers lists a layer that no tile has [q]"
                ])
            #expect(
                Self.findings(isOwn: isOwn) { $0.vectorLayers = [] }
                    == ["error vector-layers: a layer is not listed in vector_layers [p]"])
        }
        // A layer without features is in no tile that matters, and one without points is not listed.
        let empty = Self.survey([
            (
                TileID(z: 1, x: 0, y: 0),
                [Layer(name: "p", features: [Self.feature()]), Layer(name: "e")]
            )
        ])
        let listed = Self.findings(empty) { metadata in
            metadata.maxZoom = 1
            metadata.centerZoom = 1
            metadata.vectorLayers = [VectorLayer(id: "p", fields: [])]
        }
        #expect(listed == [])
        let check = MetadataCheck(metadata: Self.metadata(), survey: Survey(), facts: Self.facts(0))
        #expect(Set(check.findings().all.map(\.code)) == ["no-tiles", "vector-layers"])
    }

    @Test func `fields are listed with the type of their values`() {
        let other = "error fields: an attribute is not listed among its layer's fields [p.n]"
        #expect(Self.findings { $0.vectorLayers[0].fields = [] } == [other])
        let more = "warning fields: fields lists an attribute that no feature has [p.x]"
        for isOwn in [true, false] {
            let found = Self.findings(isOwn: isOwn) { metadata in
                metadata.vectorLayers[0].fields.append(.init("x", .string))
            }
            #expect(found == [more])
        }
        let type =
            "error field-type: a field has another type than its values [p.n: String, not Number]"
        for isOwn in [true, false] {
            #expect(
                Self.findings(isOwn: isOwn) { $0.vectorLayers[0].fields = [.init("n", .string)] }
                    == [type])
        }
    }

    /// Figures are kept of ten thousand attributes, so the others may be drawn or not.
    @Test func `of too many attributes none is missed`() {
        let tags = (0..<10_050).map { MessageTiles.Tile.Tag("k\($0)", .uint(1)) }
        let many = Self.survey([
            (TileID(z: 1, x: 0, y: 0), [Layer(name: "p", features: [Self.feature(tags)])])
        ])
        for count in [10_050, 10_060] {
            let found = Self.findings(many) { metadata in
                metadata.maxZoom = 1
                metadata.centerZoom = 1
                metadata.vectorLayers = [
                    VectorLayer(
                        id: "p", fields: (0..<count).map { .init("k\($0)", .number) })
                ]
            }
            #expect(found == [])
        }
    }

    /// Covey says of mixed values that they are texts, and others any of theirs.
    @Test(
        arguments: [
            ([.uint(1)], [true, false, false], [true, false, false]),
            ([.bool(true)], [false, true, false], [false, true, false]),
            ([.string("a")], [false, false, true], [false, false, true]),
            ([.uint(1), .string("a")], [true, false, true], [false, false, true]),
            ([.uint(1), .bool(true)], [true, true, false], [false, false, true]),
            ([.double(1), .bool(true), .string("a")], [true, true, true], [false, false, true]),
        ] as [([TileValue], [Bool], [Bool])])
    func `a field of several types has one of them, or is text`(
        values: [TileValue], others: [Bool], own: [Bool]
    ) {
        let survey = Self.survey(
            (UInt8(1)...3).map { zoom in
                let features = values.map { Self.feature([.init("n", $0)]) }
                return (TileID(z: zoom, x: 0, y: 0), [Layer(name: "p", features: features)])
            })
        for (isOwn, wanted) in [(false, others), (true, own)] {
            let types: [VectorLayer.FieldType] = [.number, .boolean, .string]
            let right = types.map { type in
                Self.findings(survey, isOwn: isOwn) { metadata in
                    metadata.vectorLayers[0].fields = [.init("n", type)]
                }.isEmpty
            }
            #expect(right == wanted, "\(isOwn)")
        }
    }
}
