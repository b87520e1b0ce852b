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
        ##"places/points-heat/type: "heatmap""##,
        ##"places/points-heat/source: "places""##,
        ##"places/points-heat/source-layer: "points""##,
        ##"places/points-heat/metadata: {"covey:role":"heat","covey:layer":"points"}"##,
        ##"places/points-heat/layout/visibility: "none""##,
        ##"places/points-heat/paint/heatmap-weight: ["coalesce",["get","point_count"],1]"##,
        ##"places/points-heat/paint/heatmap-radius: 60"##,
        ##"places/points-heat/paint/heatmap-opacity: 0.85"##,
        ##"places/points-heat/paint/heatmap-color: ["interpolate",["linear"],["heatmap-density"],0,"rg"##
            + ##"ba(49,104,142,0)",0.05,"rgba(49,104,142,0.28)",0.18,"rgba(58,122,168,0.62)",0.38,"rgb"##
            + ##"a(95,167,119,0.85)",0.65,"#e3b23c",1,"#c2452d"]"##,
        ##"places/points-clusters/type: "circle""##,
        ##"places/points-clusters/source: "places""##,
        ##"places/points-clusters/source-layer: "points""##,
        ##"places/points-clusters/metadata: {"covey:role":"clusters","covey:layer":"points"}"##,
        ##"places/points-clusters/filter: ["has","point_count"]"##,
        ##"places/points-clusters/paint/circle-color: ["match",["get","usual"],"<b>bar</b>","#2f6396","##
            + ##""café","#a3541a","inn","#2b7a4b","#5f6b76"]"##,
        ##"places/points-clusters/paint/circle-stroke-color: "#ffffff""##,
        ##"places/points-clusters/paint/circle-stroke-width: 1.5"##,
        ##"places/points-counts/type: "symbol""##,
        ##"places/points-counts/source: "places""##,
        ##"places/points-counts/source-layer: "points""##,
        ##"places/points-counts/metadata: {"covey:role":"counts","covey:layer":"points"}"##,
        ##"places/points-counts/filter: ["has","point_count"]"##,
        ##"places/points-counts/layout/text-field: ["get","point_count_abbreviated"]"##,
        ##"places/points-counts/layout/text-font: ["Open Sans Semibold"]"##,
        ##"places/points-counts/layout/text-size: 12"##,
        ##"places/points-counts/layout/text-allow-overlap: true"##,
        ##"places/points-counts/layout/text-ignore-placement: true"##,
        ##"places/points-counts/paint/text-color: "#ffffff""##,
        ##"places/points-counts/paint/text-halo-color: ["match",["get","usual"],"<b>bar</b>","#2f6396","##
            + ##""café","#a3541a","inn","#2b7a4b","#5f6b76"]"##,
        "places/points-counts/paint/text-halo-width: 1.5",
        ##"places/points-points/type: "circle""##,
        ##"places/points-points/source: "places""##,
        ##"places/points-points/source-layer: "points""##,
        ##"places/points-points/metadata: {"covey:role":"points","covey:layer":"points"}"##,
        ##"places/points-points/filter: ["!",["has","point_count"]]"##,
        ##"places/points-points/paint/circle-radius: ["interpolate",["linear"],["zoom"],0,3.5,14,6]"##,
        ##"places/points-points/paint/circle-color: ["match",["get","kind"],"<b>bar</b>","#2f6396","ca"##
            + ##"fé","#a3541a","inn","#2b7a4b","#5f6b76"]"##,
        ##"places/points-points/paint/circle-stroke-color: "#ffffff""##,
        ##"places/points-points/paint/circle-stroke-width: 1.5"##,
        ##"places/points-raw-areas/type: "fill""##,
        ##"places/points-raw-areas/source: "places""##,
        ##"places/points-raw-areas/source-layer: "points""##,
        ##"places/points-raw-areas/metadata: {"covey:role":"raw","covey:layer":"points"}"##,
        ##"places/points-raw-areas/filter: ["==",["geometry-type"],"Polygon"]"##,
        ##"places/points-raw-areas/layout/visibility: "none""##,
        ##"places/points-raw-areas/paint/fill-color: "#3a7aa8""##,
        ##"places/points-raw-areas/paint/fill-opacity: 0.25"##,
        ##"places/points-raw-lines/type: "line""##,
        ##"places/points-raw-lines/source: "places""##,
        ##"places/points-raw-lines/source-layer: "points""##,
        ##"places/points-raw-lines/metadata: {"covey:role":"raw","covey:layer":"points"}"##,
        ##"places/points-raw-lines/filter: ["!",["==",["geometry-type"],"Point"]]"##,
        ##"places/points-raw-lines/layout/visibility: "none""##,
        ##"places/points-raw-lines/paint/line-color: "#2c5a80""##,
        ##"places/points-raw-lines/paint/line-width: 1"##,
        ##"places/points-raw-points/type: "circle""##,
        ##"places/points-raw-points/source: "places""##,
        ##"places/points-raw-points/source-layer: "points""##,
        ##"places/points-raw-points/metadata: {"covey:role":"raw","covey:layer":"points"}"##,
        ##"places/points-raw-points/filter: ["==",["geometry-type"],"Point"]"##,
        ##"places/points-raw-points/layout/visibility: "none""##,
        ##"places/points-raw-points/paint/circle-radius: 3"##,
        ##"places/points-raw-points/paint/circle-color: "#0f766e""##,
        ##"places/points-raw-points/paint/circle-opacity: 0.75"##,
    ]

    @Test func `clusters, counts, points, heat and bare features are drawn as they always were`()
        throws
    {
        let lines = try Self.lines(
            Self.sample.get().service().json("/places/style.json"))
        for line in Self.expected { #expect(lines.contains(line)) }
        // Beside those: names, the background, a radius and a heat that follow the counts, and
        // opacities that follow the zoom.
        let others = lines.filter { !Self.expected.contains($0) && !$0.contains("/id: ") }
        #expect(others.filter { !$0.contains("background/") }.count == 5)
        let opacity = ##"["interpolate",["exponential",1000000000000000],["zoom"],0,0.9,1,"##
        let step =
            ##"["case",[">",["get","expansion_zoom"],1],0.9,0],2,["case",[">",["get","##
            + ##""expansion_zoom"],2],0.9,0]"##
        let stroke = "places/points-clusters/paint/circle-stroke-opacity: "
        #expect(others.contains { $0.hasPrefix(stroke + opacity + step) })
        let heat = "places/points-heat/paint/heatmap-intensity: "
        #expect(
            others.contains {
                $0.hasPrefix(heat + ##"["interpolate",["exponential",4],["zoom"],0,"##)
            })
        let radius =
            "places/points-clusters/paint/circle-radius: "
            + ##"["step",["zoom"],["step",["get","point_count"],11,"##
        #expect(others.contains { $0.hasPrefix(radius) })
    }

    @Test func `what has no clusters is drawn as it is, for all to see`() throws {
        let style = try Self.sample.get().service().json("/bare/style.json")
        let lines = try Self.lines(style)
        for line in [
            ##"bare/v-raw-areas/type: "fill""##,
            ##"bare/v-raw-areas/source: "bare""##,
            ##"bare/v-raw-areas/source-layer: "v""##,
            ##"bare/v-raw-areas/metadata: {"covey:role":"raw","covey:layer":"v"}"##,
            ##"bare/v-raw-areas/filter: ["==",["geometry-type"],"Polygon"]"##,
            ##"bare/v-raw-areas/paint/fill-color: "#3a7aa8""##,
            ##"bare/v-raw-areas/paint/fill-opacity: 0.25"##,
            ##"bare/v-raw-lines/type: "line""##,
            ##"bare/v-raw-lines/source: "bare""##,
            ##"bare/v-raw-lines/source-layer: "v""##,
            ##"bare/v-raw-lines/metadata: {"covey:role":"raw","covey:layer":"v"}"##,
            ##"bare/v-raw-lines/filter: ["!",["==",["geometry-type"],"Point"]]"##,
            ##"bare/v-raw-lines/paint/line-color: "#2c5a80""##,
            ##"bare/v-raw-lines/paint/line-width: 1"##,
            ##"bare/v-raw-points/type: "circle""##,
            ##"bare/v-raw-points/source: "bare""##,
            ##"bare/v-raw-points/source-layer: "v""##,
            ##"bare/v-raw-points/metadata: {"covey:role":"raw","covey:layer":"v"}"##,
            ##"bare/v-raw-points/filter: ["==",["geometry-type"],"Point"]"##,
            ##"bare/v-raw-points/paint/circle-radius: 3"##,
            ##"bare/v-raw-points/paint/circle-color: "#0f766e""##,
            ##"bare/v-raw-points/paint/circle-opacity: 0.75"##,
        ] {
            #expect(lines.contains(line))
        }
        #expect(!lines.contains { $0.contains("visibility") })
        #expect(try style.required("layers").elements.count == 4)
    }

    @Test func `a style leads to its archive, and starts where that does`() throws {
        let service = try Self.sample.get().service()
        let style = try service.json("/places/style.json")
        let source = try style.required("sources").required("places")
        #expect(try source.required("url").string == "http://example.org/places")
        #expect(try source.required("type").string == "vector")
        #expect(try style.required("version").integer == 8)
        #expect(try style.required("name").value == service.json("/places").required("name").value)
        let center = try service.json("/places").required("center").elements.map(\.value)
        #expect(try style.required("center").elements.map(\.value) == Array(center.prefix(2)))
        #expect(try style.required("zoom").value == center[2])
        #expect(
            try style.required("glyphs").string
                == "http://example.org/-/fonts/{fontstack}/{range}.pbf")
    }

    @Test func `without glyphs counts are icons, with others in another font`() throws {
        let path = try Self.sample.get().file("places.mbtiles")
        let sheet = try StyleSheet(ofArchiveAt: path)
        let bare = JSONNode(sheet.document(source: "https://a.example/p"))
        #expect(try bare.member("glyphs") == nil)
        for line in [
            ##"places/points-counts/layout/icon-image: ["concat","covey-count:",["get","point_coun"##
                + ##"t_abbreviated"]]"##,
            "places/points-counts/layout/icon-allow-overlap: true",
            "places/points-counts/layout/icon-ignore-placement: true",
        ] {
            #expect(try Self.lines(bare).contains(line))
        }
        let document = sheet.document(
            source: "https://a.example/p", glyphs: "https://g", look: .init(font: "F"))
        let style = JSONNode(document)
        #expect(try style.required("glyphs").string == "https://g")
        let lines = try Self.lines(style)
        for line in [
            ##"places/points-counts/layout/text-field: ["get","point_count_abbreviated"]"##,
            ##"places/points-counts/layout/text-font: ["F"]"##,
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
                let start = "\(name)/points-\(role)/paint/circle-color: "
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
