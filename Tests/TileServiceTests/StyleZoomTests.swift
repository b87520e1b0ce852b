import JSON
import Testing
import TileArchive

@testable import TileService

/// The style of an archive that has all that may stand beside a layer: which layer of the tiles each part is
/// drawn of, at which zooms, and whether it is seen before anything is switched.
struct StyleZoomTests {
    private static let sheet = Result { () throws -> StyleSheet in
        let folder = try SampleFolder()
        let tiles: JSONValue = [
            "maxZoom": 6, "heat": true, "bins": "square:128", "binsMaxZoom": 3, "spread": 20,
        ]
        try folder.build(
            "a.mbtiles", of: points(),
            clusters: ["radius": 40, "maxZoom": 4], tiles: tiles)
        return try StyleSheet(ofArchiveAt: folder.file("a.mbtiles"))
    }

    /// Points of which two lie at one place.
    private static func points() -> [SamplePoint] {
        var points = SamplePoint.random(300, seed: 4)
        let place = points[1]
        func distance(_ point: SamplePoint) -> Double {
            abs(point.longitude - place.longitude) + abs(point.latitude - place.latitude)
        }
        let others = points.indices.filter { $0 != 1 }
        if let nearest = others.min(by: { distance(points[$0]) < distance(points[$1]) }) {
            let moved = points[nearest]
            points[nearest] = SamplePoint(
                id: moved.id, longitude: place.longitude, latitude: place.latitude,
                value: moved.value, kind: moved.kind)
        }
        return points
    }

    private static func layers(_ bins: StyleSheet.BinLook?) throws -> [JSONNode] {
        let sheet = try sheet.get()
        #expect(sheet.hasBins)
        let document = sheet.document(source: "https://a.example", look: .init(bins: bins))
        return try JSONNode(document).required("layers").elements
    }

    /// The layer's id, type and source layer, from which zoom on and below which, and whether it is hidden.
    private static func line(_ layer: JSONNode) throws -> String {
        func text(_ key: String) throws -> String {
            try layer.member(key).map { $0.value.asString ?? $0.value.text() } ?? "-"
        }
        let visibility = try layer.member("layout")?.member("visibility")?.string ?? "visible"
        return try [
            text("id"), text("type"), text("source-layer"), text("minzoom"), text("maxzoom"),
            visibility,
        ].joined(separator: " ")
    }

    @Test(arguments: [nil, .color, .opacity, .height] as [StyleSheet.BinLook?])
    func `each layer is drawn of what has its data, at the zooms that have it`(
        bins: StyleSheet.BinLook?
    ) throws {
        // Where bins are looked at, markers follow them.
        let start = bins == nil ? "-" : "4"
        let (type, look) =
            (bins == .height ? "fill-extrusion" : "fill", bins == nil ? "none" : "visible")
        #expect(
            try Self.layers(bins).map(Self.line) == [
                "a/background background - - - visible",
                // Clusters end at zoom 4, and with them the finer counts.
                "a/points-heat heatmap points_heat - 5 none",
                "a/points-heat-points heatmap points 5 - none",
                "a/points-bins \(type) points_bins - 4 \(look)",
                "a/points-legs line points_legs \(start) - visible",
                "a/points-points circle points \(start) - visible",
                "a/points-clusters circle points \(start) - visible",
                "a/points-counts symbol points \(start) - visible",
                "a/points-raw-areas fill points - - none",
                "a/points-raw-lines line points - - none",
                "a/points-raw-points circle points - - none",
            ])
    }

    @Test func `what was asked for beside a layer and no tile has is not drawn`() throws {
        let folder = try SampleFolder()
        try folder.build(
            "a.mbtiles",
            of: [(1, 8.5), (2, 9.5)].map {
                SamplePoint(id: $0, longitude: $1, latitude: 47, value: 1, kind: "inn")
            }, tiles: ["maxZoom": 3, "spread": 20])
        let archive = try Archive(path: folder.file("a.mbtiles"))
        #expect(archive.metadata.vectorLayers.map(\.id) == ["points"])
        let document = try StyleSheet(ofArchiveAt: archive.path)
            .document(source: "https://a.example")
        let drawn = try JSONNode(document).required("layers").elements.compactMap {
            try $0.member("source-layer")?.string
        }
        #expect(Set(drawn) == ["points"])
    }

    /// What a layer's paint has, a line each.
    private static func paint(_ id: String, _ bins: StyleSheet.BinLook?) throws -> [String: String]
    {
        let layer = try layers(bins).first { try $0.required("id").string == id }
        let paint = try #require(layer).required("paint").value.asObject ?? JSONObject()
        return Dictionary(uniqueKeysWithValues: paint.members.map { ($0.key, $0.value.text()) })
    }

    /// An expression with a value for each class, at each of the four zooms that have bins.
    private static func byCount(_ values: (_ zoom: Int) -> [String]) -> String {
        let counts = [[13, 37, 62], [4, 13, 22], [3, 4, 12], [3, 4, 11]]
        return counts.enumerated().map { zoom, counts in
            let values = values(zoom)
            let steps = zip(counts, values.dropFirst()).map { "\($0),\($1)" }.joined(separator: ",")
            return #"["step",["get","point_count"],\#(values[0]),\#(steps)]"#
        }.enumerated().map { $0 == 0 ? $1 : "\($0),\($1)" }.joined(separator: ",")
    }

    @Test func `bins show their class by colour, by strength, or by height as well`() throws {
        let colors = [##""#2b7a78""##, ##""#2f6396""##, ##""#4a4a9c""##, ##""#7a2f7d""##]
        let byColor = #"["step",["zoom"],"# + Self.byCount { _ in colors } + "]"
        #expect(
            try Self.paint("a/points-bins", .color) == [
                "fill-color": byColor, "fill-opacity": "0.7",
            ])
        let strength = Self.byCount { _ in ["0.15", "0.35", "0.6", "0.85"] }
        #expect(
            try Self.paint("a/points-bins", .opacity) == [
                "fill-color": colors[3], "fill-opacity": #"["step",["zoom"],\#(strength)]"#,
            ])
        // A tenth of a tile at the equator is the highest.
        let heights = Self.byCount { zoom in
            [0.06, 0.25, 0.5, 1].map { share in
                "\(Int((share * 40_075_017 / 10 / Double(1 << zoom)).rounded()))"
            }
        }
        #expect(
            try Self.paint("a/points-bins", .height) == [
                "fill-extrusion-color": byColor, "fill-extrusion-opacity": "0.85",
                "fill-extrusion-height":
                    #"["interpolate",["exponential",0.5],["zoom"],0,\#(heights)]"#,
            ])
    }

    @Test func `legs, and what a cluster is seen by until it comes apart, are as they always were`()
        throws
    {
        #expect(
            try Self.paint("a/points-legs", nil) == [
                "line-color": ##""#6d7680""##, "line-width": "1.2",
            ])
        let paint = try Self.paint("a/points-clusters", nil)
        for (name, full) in [("circle-opacity", "1"), ("circle-stroke-opacity", "0.9")] {
            let steps = (1...6).map {
                #"\#($0),["case",[">",["get","expansion_zoom"],\#($0)],\#(full),0]"#
            }
            let start = #"["interpolate",["exponential",1000000000000000],["zoom"],0,\#(full),"#
            #expect(paint[name] == start + steps.joined(separator: ",") + "]")
        }
        let counts = try Self.paint("a/points-counts", nil)
        #expect(counts == ["icon-opacity": paint["circle-opacity"]])
        for id in ["a/points-heat", "a/points-heat-points"] {
            let heat = try Self.paint(id, nil)
            #expect(heat["heatmap-weight"] == #"["coalesce",["get","point_count"],1]"#)
            #expect(heat["heatmap-radius"] == "44" && heat["heatmap-opacity"] == "0.85")
        }
    }
}
