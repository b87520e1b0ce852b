import Geometry
import JSON
import TestSupport
import Testing
import TileArchive

@testable import Conversion

/// What archives say together, held against what each says.
struct JoinedMetadataTests {
    private static func joined(
        _ sources: [ArchiveMetadata], name: String? = nil
    ) -> (ArchiveMetadata, notes: [String]) {
        var account = JoinedMetadata(sources, JoinPlan([]), name: name)
        return (account.metadata(), account.notes)
    }

    private static func source(_ name: String, _ box: LonLatBox?) -> ArchiveMetadata {
        var metadata = ArchiveMetadata(name: name)
        metadata.bounds = box
        return metadata
    }

    @Test(arguments: 0..<20)
    func `bounds hold those of all, and are a belt where one goes over the antimeridian`(
        seed: UInt64
    ) {
        var random = SeededRandom(seed: seed)
        let boxes = (0..<3).map { index in
            let (a, b) = (random.unit() * 360 - 180, random.unit() * 360 - 180)
            let (c, d) = (random.unit() * 160 - 80, random.unit() * 160 - 80)
            let isOver = index == 1 && seed % 4 == 0
            return LonLatBox(
                west: isOver ? max(a, b) : min(a, b), south: min(c, d),
                east: isOver ? min(a, b) : max(a, b), north: max(c, d))
        }
        let (found, _) = Self.joined(boxes.map { Self.source("a", $0) })
        let isBelt = boxes.contains(where: \.crossesAntimeridian)
        let expected = LonLatBox(
            west: isBelt ? -180 : boxes.map(\.west).min()!, south: boxes.map(\.south).min()!,
            east: isBelt ? 180 : boxes.map(\.east).max()!, north: boxes.map(\.north).max()!)
        #expect(found.bounds == expected)
        // Where one does not say, nothing is known of all; one alone stays as it is.
        let some = boxes.dropLast().map { Self.source("a", $0) } + [Self.source("b", nil)]
        #expect(Self.joined(some).0.bounds == nil)
        #expect(Self.joined([Self.source("a", boxes[1])]).0.bounds == boxes[1])
    }

    @Test func `texts are put together once each, zooms reach as far as any`() {
        var a = Self.source("one", nil)
        (a.minZoom, a.maxZoom, a.attribution, a.description) = (3, 9, "me", "first")
        (a.center, a.centerZoom, a.type, a.version) = (
            .init(longitude: 1, latitude: 2), 4, "x", "7"
        )
        a.others = ["legend": "l", "own": "1"]
        (a.generator, a.generatorOptions) = (
            "covey", #"{"tiles":{"maxZoom":9},"layers":[{"name":"p"}]}"#
        )
        var b = Self.source("two", nil)
        (b.minZoom, b.maxZoom, b.attribution, b.description) = (1, 7, "me", "")
        (b.center, b.centerZoom) = (.init(longitude: 9, latitude: 9), 2)
        b.others = ["legend": "l", "own": "2"]
        (b.generator, b.generatorOptions) = (
            "covey", #"{"tiles":{"maxZoom":9},"layers":[{"name":"q"}]}"#
        )
        let (both, notes) = Self.joined([a, b])
        #expect(both.name == "one, two" && both.description == "first" && both.attribution == "me")
        #expect(both.minZoom == 1 && both.maxZoom == 9 && both.type == "x" && both.version == "7")
        #expect(both.center == a.center && both.centerZoom == 4 && both.generator == "covey")
        #expect(both.others == ["legend": "l"])
        #expect(
            both.generatorOptions
                == #"{"tiles":{"maxZoom":9},"layers":[{"name":"p"},{"name":"q"}]}"#)
        #expect(notes == ["tilestats are left out: not all archives have them"])
        let named = Self.joined([a, b], name: "mine").0
        #expect(named.name == "mine" && named.description == "mine")
        // Recipes that differ, or layers of one name, are no recipe of all.
        // Zooms that the points chose, one for each.
        let (ofA, ofB) = (a.generatorOptions, b.generatorOptions)
        a.generatorOptions = #"{"layers":[{"name":"p"}]}"#
        b.generatorOptions = #"{"layers":[{"name":"q"}]}"#
        #expect(Self.joined([a, b]).0.generatorOptions == nil)
        b.maxZoom = a.maxZoom
        #expect(Self.joined([a, b]).0.generatorOptions != nil)
        (a.generatorOptions, b.generatorOptions, b.maxZoom) = (ofA, ofB, 7)
        b.generatorOptions = #"{"tiles":{"maxZoom":8},"layers":[{"name":"q"}]}"#
        #expect(Self.joined([a, b]).0.generatorOptions == nil)
        b.generatorOptions = a.generatorOptions
        #expect(Self.joined([a, b]).0.generatorOptions == nil)
    }

    @Test func `layers of one name have the fields of both, and the zooms of either`() {
        var a = Self.source("a", nil)
        (a.minZoom, a.maxZoom) = (2, 8)
        a.vectorLayers = [
            VectorLayer(
                id: "p", fields: [.init("n", .number), .init("t", .string)], minZoom: 3, maxZoom: 6),
            VectorLayer(id: "q", fields: []),
        ]
        var b = Self.source("b", nil)
        (b.minZoom, b.maxZoom) = (0, 5)
        b.vectorLayers = [
            VectorLayer(
                id: "p", fields: [.init("t", .number), .init("b", .boolean), .init("n", .number)],
                minZoom: 1, maxZoom: 4)
        ]
        let (both, notes) = Self.joined([a, b])
        #expect(both.vectorLayers.map(\.id) == ["p", "q"])
        let layer = both.vectorLayers[0]
        #expect(layer.minZoom == 1 && layer.maxZoom == 6)
        #expect(layer.fields == [.init("n", .number), .init("t", .string), .init("b", .boolean)])
        #expect(both.vectorLayers[1].minZoom == 2 && both.vectorLayers[1].maxZoom == 8)
        #expect(notes.contains { $0.hasPrefix("layer p: t is String in one archive and Number") })
    }
}
