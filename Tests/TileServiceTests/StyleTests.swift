import HTTP
import JSON
import TileService
import Testing

/// The style of an archive, property by property.
struct StyleTests {
    static let sample = Result { () throws -> SampleFolder in
        let folder = try SampleFolder()
        try folder.build("places.mbtiles", points: 300)
        try folder.writeForeign(
            "bare.mbtiles",
            metadata: [
                "name": "B", "format": "pbf",
                "json": ##"{"vector_layers":[{"id":"v","fields":{}}]}"##,
            ], tiles: [(0, 0, 0, [0x1A, 0x00])])
        return folder
    }

    /// All that a style says, one line a property: `layer/paint/property: value`.
    static func lines(_ style: JSONNode) throws -> [String] {
        try style.required("layers").elements.flatMap { layer in
            let id = try layer.required("id").string
            return (layer.value.asObject?.members ?? []).flatMap { member -> [String] in
                guard ["paint", "layout"].contains(member.key), let object = member.value.asObject
                else { return ["\(id)/\(member.key): \(member.value.text())"] }
                return object.members.map { "\(id)/\(member.key)/\($0.key): \($0.value.text())" }
            }
        }
    }

    private static let expected = [
        ##"points-heat/type: "heatmap""##,
        ##"points-heat/source: "points""##,
        ##"points-heat/source-layer: "points""##,
        ##"points-heat/metadata: {"covey:role":"heat"}"##,
        ##"points-heat/layout/visibility: "none""##,
        ##"points-heat/paint/heatmap-weight: ["interpolate",["linear"],["ln",["coalesce",["get""##
            + ##","point_count"],1]],0,0.1,3.81,1]"##,
        ##"points-heat/paint/heatmap-intensity: ["interpolate",["linear"],["zoom"],0,2,14,5]"##,
        ##"points-heat/paint/heatmap-radius: 60"##,
        ##"points-heat/paint/heatmap-opacity: 0.85"##,
        ##"points-heat/paint/heatmap-color: ["interpolate",["linear"],["heatmap-density"],0,"rg"##
            + ##"ba(40,90,140,0)",0.2,"rgba(58,122,168,0.55)",0.5,"#6fa86b",0.75,"#e3b23c",1,"#c2452d"##
            + ##""]"##,
        ##"points-clusters/type: "circle""##,
        ##"points-clusters/source: "points""##,
        ##"points-clusters/source-layer: "points""##,
        ##"points-clusters/metadata: {"covey:role":"clusters"}"##,
        ##"points-clusters/filter: ["has","point_count"]"##,
        ##"points-clusters/paint/circle-color: ["match",["get","usual"],"<b>bar</b>","#2f6396","##
            + ##""café","#a3541a","inn","#2b7a4b","#5f6b76"]"##,
        ##"points-clusters/paint/circle-stroke-color: "#ffffff""##,
        ##"points-clusters/paint/circle-stroke-width: 1.5"##,
        ##"points-clusters/paint/circle-stroke-opacity: 0.9"##,
        ##"points-counts/type: "symbol""##,
        ##"points-counts/source: "points""##,
        ##"points-counts/source-layer: "points""##,
        ##"points-counts/metadata: {"covey:role":"counts"}"##,
        ##"points-counts/filter: ["has","point_count"]"##,
        ##"points-counts/layout/icon-image: ["concat","covey-count:",["get","point_count_abbrev"##
            + ##"iated"]]"##,
        ##"points-counts/layout/icon-allow-overlap: true"##,
        ##"points-counts/layout/icon-ignore-placement: true"##,
        ##"points-points/type: "circle""##,
        ##"points-points/source: "points""##,
        ##"points-points/source-layer: "points""##,
        ##"points-points/metadata: {"covey:role":"points"}"##,
        ##"points-points/filter: ["!",["has","point_count"]]"##,
        ##"points-points/paint/circle-radius: ["interpolate",["linear"],["zoom"],0,3.5,14,6]"##,
        ##"points-points/paint/circle-color: ["match",["get","kind"],"<b>bar</b>","#2f6396","ca"##
            + ##"fé","#a3541a","inn","#2b7a4b","#5f6b76"]"##,
        ##"points-points/paint/circle-stroke-color: "#ffffff""##,
        ##"points-points/paint/circle-stroke-width: 1.5"##,
        ##"points-raw-areas/type: "fill""##,
        ##"points-raw-areas/source: "points""##,
        ##"points-raw-areas/source-layer: "points""##,
        ##"points-raw-areas/metadata: {"covey:role":"raw"}"##,
        ##"points-raw-areas/filter: ["==",["geometry-type"],"Polygon"]"##,
        ##"points-raw-areas/layout/visibility: "none""##,
        ##"points-raw-areas/paint/fill-color: "#3a7aa8""##,
        ##"points-raw-areas/paint/fill-opacity: 0.25"##,
        ##"points-raw-lines/type: "line""##,
        ##"points-raw-lines/source: "points""##,
        ##"points-raw-lines/source-layer: "points""##,
        ##"points-raw-lines/metadata: {"covey:role":"raw"}"##,
        ##"points-raw-lines/filter: ["!",["==",["geometry-type"],"Point"]]"##,
        ##"points-raw-lines/layout/visibility: "none""##,
        ##"points-raw-lines/paint/line-color: "#2c5a80""##,
        ##"points-raw-lines/paint/line-width: 1"##,
        ##"points-raw-points/type: "circle""##,
        ##"points-raw-points/source: "points""##,
        ##"points-raw-points/source-layer: "points""##,
        ##"points-raw-points/metadata: {"covey:role":"raw"}"##,
        ##"points-raw-points/filter: ["==",["geometry-type"],"Point"]"##,
        ##"points-raw-points/layout/visibility: "none""##,
        ##"points-raw-points/paint/circle-radius: 3"##,
        ##"points-raw-points/paint/circle-color: "#0f766e""##,
        ##"points-raw-points/paint/circle-opacity: 0.75"##,
    ]

    @Test func `clusters, counts, points, heat and bare features are drawn as they always were`()
        throws
    {
        let lines = try Self.lines(
            Self.sample.get().service().json("/places/style.json"))
        for line in Self.expected { #expect(lines.contains(line)) }
        // Beside those: names, the background, and a radius that follows the counts.
        let others = lines.filter { !Self.expected.contains($0) && !$0.contains("/id: ") }
        #expect(others.filter { !$0.hasPrefix("background/") }.count == 1)
        let radius =
            "points-clusters/paint/circle-radius: "
            + ##"["step",["zoom"],["step",["get","point_count"],11,"##
        #expect(others.contains { $0.hasPrefix(radius) })
    }

    @Test func `what has no clusters is drawn as it is, for all to see`() throws {
        let style = try Self.sample.get().service().json("/bare/style.json")
        let lines = try Self.lines(style)
        for line in [
            ##"v-raw-areas/type: "fill""##,
            ##"v-raw-areas/source: "points""##,
            ##"v-raw-areas/source-layer: "v""##,
            ##"v-raw-areas/metadata: {"covey:role":"raw"}"##,
            ##"v-raw-areas/filter: ["==",["geometry-type"],"Polygon"]"##,
            ##"v-raw-areas/paint/fill-color: "#3a7aa8""##,
            ##"v-raw-areas/paint/fill-opacity: 0.25"##,
            ##"v-raw-lines/type: "line""##,
            ##"v-raw-lines/source: "points""##,
            ##"v-raw-lines/source-layer: "v""##,
            ##"v-raw-lines/metadata: {"covey:role":"raw"}"##,
            ##"v-raw-lines/filter: ["!",["==",["geometry-type"],"Point"]]"##,
            ##"v-raw-lines/paint/line-color: "#2c5a80""##,
            ##"v-raw-lines/paint/line-width: 1"##,
            ##"v-raw-points/type: "circle""##,
            ##"v-raw-points/source: "points""##,
            ##"v-raw-points/source-layer: "v""##,
            ##"v-raw-points/metadata: {"covey:role":"raw"}"##,
            ##"v-raw-points/filter: ["==",["geometry-type"],"Point"]"##,
            ##"v-raw-points/paint/circle-radius: 3"##,
            ##"v-raw-points/paint/circle-color: "#0f766e""##,
            ##"v-raw-points/paint/circle-opacity: 0.75"##,
        ] {
            #expect(lines.contains(line))
        }
        #expect(!lines.contains { $0.contains("visibility") })
        #expect(try style.required("layers").elements.count == 4)
    }

    @Test func `a style leads to its archive, and starts where that does`() throws {
        let service = try Self.sample.get().service()
        let style = try service.json("/places/style.json")
        let source = try style.required("sources").required("points")
        #expect(try source.required("url").string == "http://example.org/places")
        #expect(try source.required("type").string == "vector")
        #expect(try style.required("version").integer == 8)
        #expect(try style.required("name").value == service.json("/places").required("name").value)
        let center = try service.json("/places").required("center").elements.map(\.value)
        #expect(try style.required("center").elements.map(\.value) == Array(center.prefix(2)))
        #expect(try style.required("zoom").value == center[2])
        #expect(try style.member("glyphs") == nil)
    }

    @Test func `with a glyph server counts are text`() throws {
        let path = try Self.sample.get().file("places.mbtiles")
        let sheet = try StyleSheet(ofArchiveAt: path)
        let style = JSONNode(sheet.document(source: "https://a.example/p", glyphs: "https://g"))
        #expect(try style.required("glyphs").string == "https://g")
        let lines = try Self.lines(style)
        for line in [
            ##"points-counts/layout/text-field: ["get","point_count_abbreviated"]"##,
            "points-counts/layout/text-size: 12", "points-counts/layout/text-allow-overlap: true",
            "points-counts/layout/text-ignore-placement: true",
            ##"points-counts/paint/text-color: "#ffffff""##,
        ] {
            #expect(lines.contains(line))
        }
        #expect(!lines.contains { $0.contains("icon-image") })
    }

    @Test func `groups have their colours, where clusters say theirs`() throws {
        let folder = try SampleFolder()
        let points = SamplePoint.random(200, seed: 4)
        try folder.build("kinds.mbtiles", of: points, clusters: ["groupBy": "kind"])
        let few = points.map {
            SamplePoint(
                id: $0.id, longitude: $0.longitude, latitude: $0.latitude, value: $0.value % 3,
                kind: "inn")
        }
        try folder.build("numbers.mbtiles", of: few, clusters: ["groupBy": "value"])
        let service = folder.service()
        func colors(_ name: String) throws -> (clusters: String, points: String) {
            let lines = try Self.lines(service.json("/\(name)/style.json"))
            func color(_ role: String) -> String {
                let start = "points-\(role)/paint/circle-color: "
                return lines.first { $0.hasPrefix(start) }.map { String($0.dropFirst(start.count)) }
                    ?? ""
            }
            return (color("clusters"), color("points"))
        }
        let kinds = try colors("kinds")
        let match =
            ##"["match",["get","kind"],"<b>bar</b>","#2f6396","café","#a3541a","inn","#2b7a4b","##
            + ##""#5f6b76"]"##
        #expect(kinds.points == match)
        // Zoom steps may not stand inside another expression, so those of no group are grey.
        #expect(kinds.clusters == match)
        let numbers = try colors("numbers")
        #expect(
            numbers.points
                == ##"["match",["get","value"],0,"#2f6396",1,"#a3541a",2,"#2b7a4b","#5f6b76"]"##)
    }
}
