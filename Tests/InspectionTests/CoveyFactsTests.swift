import ArchiveContract
import Testing
import TileArchive

@testable import Inspection

/// What is known of an archive by what it says of its clusters.
struct CoveyFactsTests {
    private typealias Layer = ClusterDescription.Layer

    private static func layer(
        _ name: String, _ leaves: Range<Int64>, zooms: (Int, Int) = (0, 4),
        change: (inout Layer) -> Void = { _ in }
    ) -> Layer {
        var layer = Layer(
            name: name, leaves: leaves, minZoom: zooms.0, maxZoom: zooms.1,
            clustering: .init(radius: RadiusByZoom(40), algorithm: "spaced"))
        change(&layer)
        return layer
    }

    private static func facts(_ layers: [Layer], ids: ClusterIDs = .placed) -> CoveyFacts {
        CoveyFacts(ClusterDescription(layers: layers, buffer: 12, extent: 512, ids: ids))
    }

    private static func metadata(_ least: UInt8?, _ most: UInt8?) -> ArchiveMetadata {
        var metadata = ArchiveMetadata(name: "a")
        (metadata.minZoom, metadata.maxZoom) = (least, most)
        return metadata
    }

    @Test func `leaves are those of layers, and of layers of one name together`() {
        let facts = Self.facts([
            Self.layer("p", 0..<10), Self.layer("q", 10..<10), Self.layer("p", 10..<17),
        ])
        #expect(facts.description.leafCount == 17)
        #expect(facts.points(inLayer: "p") == 17 && facts.points(inLayer: "q") == 0)
        #expect(facts.points(inLayer: "x") == nil)
        for (leaf, index) in [(0, 0), (9, 0), (10, 2), (16, 2), (17, nil), (-1, nil)]
            as [(Int64, Int?)]
        { #expect(facts.index(ofLeaf: leaf) == index) }
        // Layers that were joined were clustered apart.
        #expect(facts.layers.map(facts.keepsSpacing) == [false, true, false])
        #expect(Self.facts([]).description.leafCount == 0)
    }

    @Test func `a spacing is kept by what promises it, and by nothing that lets nodes crowd`() {
        let changes: [(String, (inout Layer) -> Void, Bool)] = [
            ("as usual", { _ in }, true), ("two points", { $0.clustering?.minPoints = 2 }, true),
            ("three points", { $0.clustering?.minPoints = 3 }, false),
            ("places", { $0.clustering?.minUniqueLocations = 2 }, false),
            ("groups", { $0.clustering?.groups = 2 }, false),
            ("coincident", { $0.clustering?.keepCoincident = true }, false),
            ("greedy", { $0.clustering?.algorithm = "greedy" }, false),
            ("not clustered", { $0.clustering = nil }, false),
            ("one zoom", { ($0.minZoom, $0.maxZoom) = (3, 3) }, true),
            ("no zoom", { ($0.minZoom, $0.maxZoom) = (3, 2) }, false),
        ]
        for (name, change, keeps) in changes {
            let facts = Self.facts([Self.layer("p", 0..<9, change: change)])
            #expect(facts.keepsSpacing(facts.layers[0]) == keeps, "\(name)")
        }
    }

    @Test func `zooms of clusters are those that are said, and one at least`() {
        for (zooms, held, clusterZooms, heldMaxZoom) in [
            ((0, 4), nil, 0...4, 4), ((2, 4), 6, 2...4, 6), ((3, 2), nil, 3...3, 3),
            ((3, 2), 2, 3...3, 3), ((3, 2), 5, 3...3, 5),
        ] as [((Int, Int), Int?, ClosedRange<Int>, Int)] {
            let layer = Self.layer("p", 0..<9, zooms: zooms) { $0.clustering?.heldMaxZoom = held }
            #expect(layer.clusterZooms == clusterZooms && layer.lastClusterZoom == heldMaxZoom)
        }
        #expect(Self.layer("p", 0..<9) { $0.clustering = nil }.wraps)
    }

    @Test func `all points are shown below the last cluster, and all clusters from the first on`() {
        let facts = Self.facts([
            Self.layer("p", 0..<9, zooms: (1, 4)), Self.layer("q", 9..<20, zooms: (2, 3)),
        ])
        for (least, most, points, all) in [
            (1, 5, true, true), (1, 4, false, false), (2, 5, true, false), (0, 5, true, true),
            (nil, nil, true, true), (nil, 5, true, true), (1, nil, true, true),
        ] as [(UInt8?, UInt8?, Bool, Bool)] {
            let metadata = Self.metadata(least, most)
            #expect(facts.showAllPoints(within: metadata) == points, "\(least ?? 99) \(most ?? 99)")
            #expect(facts.showAll(within: metadata) == all, "\(least ?? 99) \(most ?? 99)")
        }
    }

    @Test func `where no zoom is said, tiles go as deep as any may`() {
        for (last, isShown) in [(30, true), (31, false)] {
            let facts = Self.facts([Self.layer("p", 0..<9, zooms: (0, last))])
            #expect(facts.showAllPoints(within: Self.metadata(nil, nil)) == isShown)
        }
    }

    @Test func `layers that stand beside others are known, and others are not`() {
        let facts = Self.facts([
            Self.layer("p", 0..<9) {
                $0.heatMaxZoom = 3
                $0.spread = 20
                $0.clustering?.countLetters = .large
            },
            Self.layer("q", 9..<12) { $0.bins = .init(Bins(.hexagon), maxZoom: 2) },
            Self.layer("q", 12..<13) { $0.clustering?.countLetters = .none },
        ])
        let known = ["p", "q", "p_heat", "p_legs", "q_bins", "p_bins", "q_heat", "x"].map(facts.has)
        #expect(known == [true, true, true, true, true, false, false, false])
        let conventions = facts.conventions
        #expect(conventions.companions == ["p_heat": .heat, "p_legs": .legs, "q_bins": .bins])
        #expect(conventions.spread == ["p"] && conventions.own == nil)
        #expect(conventions.countLetters == ["p": .large, "q": .none])
    }

    @Test func `an id says the zoom of its cluster, and how many points it may have`() {
        let layers = [Self.layer("p", 0..<10), Self.layer("q", 10..<40)]
        let placed = Self.facts(layers)
        for (layer, zoom, most) in [(0, 3, 10), (1, 0, 30), (2, 4, nil)] as [(Int, Int, Int64?)] {
            let claim = placed.claim(of: PlaceID(layer: layer, place: 99, zoom: zoom).number)
            #expect(claim?.zoom == zoom && claim?.mostLeaves == most)
        }
        #expect(placed.claim(of: 7) == nil && placed.claim(of: -1) == nil)
        let counted = Self.facts(layers, ids: .counted(base: 64))
        for (leaf, zoom, most) in [(0, 3, 10), (4, 2, 6), (10, 0, 30), (39, 1, 1), (40, 1, nil)]
            as [(Int64, Int, Int64?)]
        {
            let claim = counted.claim(of: 64 + ClusterKey.bound(leaf: leaf, zoom: zoom))
            #expect(claim?.zoom == zoom && claim?.mostLeaves == most, "\(leaf)")
        }
        #expect(counted.claim(of: 63) == nil)
    }
}
