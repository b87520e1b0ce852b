import JSON
import Testing

@testable import TileService

/// Which values of a category have colours, where there are more values than colours.
struct CategoryColorTests {
    @Test func `the commonest values have colours`() throws {
        let folder = try SampleFolder()
        let points = SamplePoint.random(200, seed: 4).enumerated().map {
            SamplePoint(
                id: $1.id, longitude: $1.longitude, latitude: $1.latitude, value: 0,
                kind: $0 < 9 ? "k\($0)" : "m\($0 % 8)")
        }
        try folder.build("groups.mbtiles", of: points, clusters: ["groupBy": "kind"])
        try folder.build(
            "modes.mbtiles", of: points, clusters: ["aggregates": ["usual": "mode:kind"]])
        // In their own order, so that a colour stays while no other value becomes common.
        let pairs = zip(0..., MarkerColors.palette)
        let list = pairs.map { #","m\#($0)","\#($1)""# }.joined()
        for (name, attribute) in [("groups", "kind"), ("modes", "usual")] {
            let style = try folder.service().json("/\(name)/style.json")
            for (role, own) in [("clusters", attribute), ("points", "kind")] {
                let layer = try style.required("layers").elements.first {
                    try $0.required("id").string == "\(name)/points-\(role)"
                }
                let color = try #require(layer).required("paint").required("circle-color").value
                #expect(
                    color.text() == ##"["match",["get","\##(own)"]"## + list + ##","#5f6b76"]"##)
            }
        }
    }

    @Test func `values that MapLibre refuses as labels have the colour of rare ones`() throws {
        let folder = try SampleFolder()
        let points = SamplePoint.random(60, seed: 4).enumerated().map {
            SamplePoint(
                id: $1.id, longitude: $1.longitude, latitude: $1.latitude, value: 0,
                kind: ["constructor", "driver", "toString"][$0 % 3])
        }
        try folder.build(
            "all.mbtiles", of: points, clusters: ["groupBy": "kind", "facets": ["kind"]])
        let look = StyleSheet.Look(facet: "kind")
        for style in try [
            folder.service().json("/all/style.json").value,
            StyleSheet(ofArchiveAt: folder.file("all.mbtiles")).document(source: "a", look: look),
        ].map({ $0.text() }) {
            #expect(style.contains(#""driver","#) && !style.contains(#","constructor","#))
            #expect(!style.contains(#","toString","#))
        }
    }
}
