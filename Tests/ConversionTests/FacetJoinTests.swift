import Conversion
import Inspection
import JSON
import Testing
import TileArchive

/// Facets of archives that are joined.
struct FacetJoinTests {
    let files = try! BakedFiles()

    @Test func `facets stay where all parts count the same values, and go where they do not`()
        throws
    {
        let points = try files.points("p", count: 100, seed: 1, ids: 1..<101)
        let more = try files.points("m", count: 100, seed: 2, ids: 201..<301)
        let few = try files.points("f", count: 2, seed: 3, ids: 401..<403)
        let facet: JSONObject = ["facets": ["kind"]]
        let parts = try [points, more, few].enumerated().map { number, source in
            try files.build(
                "f\(number).mbtiles", [("points", source)], tiles: ["maxZoom": 3], clusters: facet)
        }
        for (other, isSame) in [(1, true), (2, false)] {
            let path = files.file("facets\(other).mbtiles")
            let report = try ArchiveJoin(
                [parts[0], parts[other]], to: path, in: MBTiles.self, options: ConversionOptions()
            ).run()
            let joined = try Archive(path: path)
            let layers = try #require(try joined.description?.get()).layers
            #expect(layers.map(\.facets.count) == (isSame ? [1, 1] : [0, 0]))
            #expect(report.notes.contains { $0.contains("facets with other values") } != isSame)
            #expect(try !Verification(of: joined, threads: 2, isDeep: true).findings.hasErrors)
        }
    }
}
