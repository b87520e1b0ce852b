import Foundation
import JSON
import Testing

/// A recipe that is written elsewhere than the style whose files it names.
struct ImportFolderTests {
    private static let style = """
        {"version": 8, "layers": [], "sources": {
          "a": {"type": "geojson", "cluster": true, "data": "points.geojson"},
          "b": {"type": "geojson", "cluster": true, "data": "/data/points.geojson"},
          "c": {"type": "geojson", "cluster": true, "data": "https://example.org/c.geojson"},
          "d": {"type": "geojson", "cluster": true,
            "data": {"type": "Point", "coordinates": [1, 2]}}}}
        """

    private func sources(_ recipe: String) throws -> [String] {
        try JSONValue(parsing: recipe).asObject?["layers"]?.asArray?.flatMap {
            $0.asObject?["sources"]?.asArray?.compactMap(\.asString) ?? []
        } ?? []
    }

    @Test func `files beside the style are named in full, and all others as they were`() throws {
        let terminal = try Terminal()
        try terminal.write(Self.style, to: "in/style.json")
        try terminal.write("{}", to: "out/other.json")
        #expect(
            try terminal.covey("recipe", "import", "in/style.json", "-o", "out/r.json").exitCode
                == 0)
        let named = try sources(terminal.read("out/r.json"))
        #expect(named.count == 4)
        #expect(named[0].hasPrefix("/") && named[0].hasSuffix("/in/points.geojson"))
        #expect(
            named.dropFirst() == [
                "/data/points.geojson", "https://example.org/c.geojson", "d.geojson",
            ])
        #expect(
            try terminal.read("out/d.geojson") == #"{"type":"Point","coordinates":[1,2]}"# + "\n")
    }

    @Test func `files beside the style keep their names where the recipe lies there too`() throws {
        let terminal = try Terminal()
        try terminal.write(Self.style, to: "in/style.json")
        for output in ["in/r.json", "in/../in/s.json"] {
            let words = ["recipe", "import", "in/style.json", "-o", output, "--force"]
            #expect(try terminal.covey(with: words).exitCode == 0)
            #expect(try sources(terminal.read(output)).first == "points.geojson")
        }
    }

    @Test func `a style that comes late through a pipe is waited for`() throws {
        let terminal = try Terminal()
        try terminal.write(Self.style, to: "style.json")
        let result = try terminal.shell(
            #"mkfifo late && { (sleep 0.3; cat style.json > late) & "$COVEY" recipe import late; }"#
        )
        #expect(result.exitCode == 0, "\(result.words)")
        #expect(try sources(result.output).count == 4)
    }
}
