import JSON
import Testing

/// Regions on the command line.
struct RegionOptionTests {
    private static func terminal() throws -> Terminal {
        let terminal = try Terminal()
        let rows = (0..<200).map { "\($0 % 20 - 10),\($0 / 20),\($0)" }
        try terminal.write((["lon,lat,n"] + rows).joined(separator: "\n"), to: "points.csv")
        let areas = [("west", -8.0, 0.0), ("east", 0.0, 8.0), ("far", 90.0, 99.0)].map {
            name, west, east in
            "{\"type\":\"Feature\",\"properties\":{\"name\":\"\(name)\",\"code\":\"\(name.prefix(1))\"},"
                + "\"geometry\":{\"type\":\"Polygon\",\"coordinates\":"
                + "[[[\(west),-1],[\(east),-1],[\(east),20],[\(west),20],[\(west),-1]]]}}"
        }
        try terminal.write(areas.joined(separator: "\n"), to: "areas.geojsonl")
        return terminal
    }

    private static let words = ["points.csv", "-o", "a.mbtiles", "--max-zoom", "6", "--force"]

    @Test func `a line keeps points of regions apart and tells what lies nowhere`() throws {
        let terminal = try Self.terminal()
        let words = Self.words + ["--regions", "areas.geojsonl"]
        let built = try terminal.covey("build", with: words)
        #expect(built.exitCode == 0, "\(built.words)")
        #expect(built.words.contains("3 regions, 40 points outside all of them"))
        #expect(built.words.contains("1 region without a point: far"))
        let told = try terminal.covey("build", with: words + ["--json", "--region-name", "code"])
        let layer = try JSONValue(parsing: told.output).asObject?["layers"]?.asArray?.first
        #expect(
            layer?.asObject?["regions"]
                == ["points": ["e": 80, "f": 0, "w": 80], "outside": 40])
        let tile = try terminal.covey("inspect", "a.mbtiles", "0/0/0", "--geojson").output
        #expect(tile.contains("\"region\":\"w\"") && tile.contains("\"region\":\"e\""))
        let checked = try terminal.covey("verify", "a.mbtiles", "--deep")
        #expect(checked.exitCode == 0, "\(checked.output)")
    }

    @Test func `an update finds the regions of points that come`() throws {
        let terminal = try Self.terminal()
        let more = ["--regions", "areas.geojsonl", "--id", "n", "--keep-points", "-q"]
        #expect(try terminal.covey("build", with: Self.words + more).exitCode == 0)
        try terminal.write("lon,lat,n\n95,5,1000\n3,3,0\n", to: "changes.csv")
        let updated = try terminal.covey(
            "update", "a.mbtiles", "changes.csv", "-q", "--regions", "areas.geojsonl")
        #expect(updated.exitCode == 0, "\(updated.words)")
        let rows = (1..<200).map { "\($0 % 20 - 10),\($0 / 20),\($0)" }
        let all = ["lon,lat,n", "3,3,0"] + rows + ["95,5,1000"]
        try terminal.write(all.joined(separator: "\n"), to: "points.csv")
        let again = Self.words.map { $0 == "a.mbtiles" ? "b.mbtiles" : $0 } + more
        #expect(try terminal.covey("build", with: again).exitCode == 0)
        let differ = try terminal.covey("diff", "a.mbtiles", "b.mbtiles", "--tiles")
        #expect(differ.exitCode == 0, "\(differ.output)")
    }

    @Test func `what cannot be is refused with what to do`() throws {
        let terminal = try Self.terminal()
        func complaint(_ more: String...) throws -> String {
            let refused = try terminal.covey("build", with: Self.words + more)
            #expect(refused.exitCode != 0)
            return refused.words
        }
        #expect(
            try complaint("--regions", "areas.geojsonl", "--group-by", "n").contains(
                "leave one out"))
        #expect(try complaint("--region-name", "code").contains("there are no regions"))
        #expect(try complaint("--regions", "points.csv").contains("areas"))
        #expect(try complaint("--regions", "-", "--join", "-:a=n").contains("can be read once"))
        #expect(try complaint("--regions", "none.geojson").contains("none.geojson"))
        #expect(
            try complaint("--regions", "areas.geojsonl", "--region-name", "nam").contains("nam"))
        #expect(
            try complaint("--regions", "areas.geojsonl", "--filter", #"[">", "n", 500]"#)
                .contains("no points"))
        try terminal.write("lon,lat\n50,50\n60,60\n", to: "points.csv")
        #expect(
            try complaint("--regions", "areas.geojsonl")
                .contains("no point lies in a region of areas.geojsonl"))
        let plain = try terminal.covey(
            "build", with: Self.words + ["--regions", "areas.geojsonl", "--no-clusters"])
        #expect(plain.exitCode == 0 && plain.words.contains("2 points outside all of them"))
        #expect(try complaint("--regions", "a.mbtiles").contains("a.mbtiles"))
    }
}
