import JSON
import Testing

/// `covey clusters --json`: what programs read.
struct ClusterJSONTests {
    @Test func `each answer is the server's`() throws {
        let terminal = try Terminal()
        try terminal.write(ServingVerbsTests.points, to: "points.csv")
        let result = try terminal.shell(
            """
            "$COVEY" build points.csv -o a.mbtiles --quiet --max-zoom 8 --id id --include name
            "$COVEY" serve --port 0 a.mbtiles 2> words & server=$!
            for i in $(seq 100); do grep -q http words && break; sleep 0.05; done
            base=$(sed -n 's/.* at \\(http[^ ]*\\).*/\\1/p' words)a/clusters
            both() { printf '%s\\n' "$1"; curl -fsS "$base/$2"; printf '\\n'; }
            found=$("$COVEY" clusters a.mbtiles --containing 10,0 --zoom 0 --json)
            both "$found" "containing?lon=10&lat=0&zoom=0"
            id=$(printf %s "$found" | sed 's/.*"cluster_id":\\([0-9]*\\).*/\\1/')
            both "$("$COVEY" clusters a.mbtiles $id --json)" "$id"
            for question in children leaves parent expansion-zoom hull bbox; do
                both "$("$COVEY" clusters a.mbtiles $id $question --json)" "$id/$question"
            done
            kill $server; wait $server
            """)
        let lines = result.output.split(separator: "\n").map(String.init)
        #expect(lines.count == 16, "\(result.output)\(result.words)")
        for (ours, theirs) in zip(lines, lines.dropFirst()).enumerated()
            .filter({ $0.offset % 2 == 0 }).map(\.element)
        {
            #expect(try JSONValue(parsing: ours) == JSONValue(parsing: theirs))
        }
    }

    @Test func `each answer as GeoJSON is a feature or a collection, whether there is one or not`()
        throws
    {
        let terminal = try ServingVerbsTests.terminal.get()
        let id = "\(try ServingVerbsTests().cluster)"
        func answer(_ words: String...) throws -> JSONObject {
            let told = try terminal.covey("clusters", "points.mbtiles", with: words)
            #expect(told.exitCode == 0, "\(told.words)")
            return try #require(try JSONValue(parsing: told.output).asObject)
        }
        for (question, count) in [("cluster", 1), ("parent", 0)] as [(String, Int64)] {
            let told = try answer(id, question, "--geojson")
            #expect(
                told["type"] == "FeatureCollection" && told["numberReturned"] == .integer(count))
        }
        let none = try answer("--containing=-100,-60", "--zoom", "3", "--geojson")
        #expect(none["features"] == [])
        for question in ["children", "leaves", "hull"] {
            #expect(try answer(id, question, "--geojson") == answer(id, question, "--json"))
        }
        let page = try answer(id, "leaves", "--geojson", "--limit", "1")
        #expect(page["numberMatched"] == 4 && page["numberReturned"] == 1)
        for words in [[id, "parent"], ["--containing=-100,-60", "--zoom", "3"]] {
            let told = try terminal.covey("clusters", "points.mbtiles", with: words + ["--json"])
            #expect(told.output == "null\n" && told.exitCode == 0)
        }
    }

    @Test func `what stays together past the last zoom has its aggregates`() throws {
        let terminal = try Terminal()
        try terminal.write("lon,lat,v\n8,47,2\n8,47,3\n120,9,4\n", to: "points.csv")
        let result = try terminal.shell(
            """
            "$COVEY" build points.csv -o a.mbtiles -q --max-zoom 3 --keep-coincident --aggregate s=sum:v
            "$COVEY" clusters a.mbtiles --containing 8,47 --zoom 3 --json | tee found
            id=$(sed 's/.*"cluster_id":\\([0-9]*\\).*/\\1/' found)
            "$COVEY" clusters a.mbtiles "$id" --json
            "$COVEY" clusters a.mbtiles --containing=-100,-60 --zoom 3
            """)
        let lines = result.output.split(separator: "\n")
        #expect(lines.count == 2 && lines.first == lines.last && lines[0].contains(#""s":5"#))
        #expect(result.words.contains("zoom 3 draws nothing there"), "\(result.words)")
    }

    @Test func `leaves as CSV can be built again, whatever attributes are called`() throws {
        let terminal = try Terminal()
        let ids = ["9926595209846587392", "9926595209846587393"]
        for (number, id) in ids.enumerated() {
            let point = #""geometry":{"type":"Point","coordinates":[8.00\#(number),47]}"#
            let properties = #""properties":{"id":\#(id),"latitude":5,"feature_id":6}"#
            try terminal.write(
                #"{"type":"Feature","id":\#(id),\#(point),\#(properties)}\#n"#,
                to: "\(number).geojsonl")
        }
        let result = try terminal.shell(
            """
            cat 0.geojsonl 1.geojsonl > points.geojsonl
            "$COVEY" build points.geojsonl -o a.mbtiles -q --max-zoom 3
            id=$("$COVEY" clusters a.mbtiles --containing 8,47 --zoom 0 --json)
            id=$(printf %s "$id" | sed 's/.*"cluster_id":\\([0-9]*\\).*/\\1/')
            "$COVEY" clusters a.mbtiles "$id" leaves --csv | tee leaves.csv
            "$COVEY" build leaves.csv -o b.mbtiles -q --max-zoom 3 --id feature_feature_id --x longitude \
                --y feature_latitude
            """)
        let lines = result.output.split(separator: "\n").map(String.init)
        #expect(
            lines.first == "feature_feature_id,longitude,feature_latitude,id,latitude,feature_id")
        #expect(lines.dropFirst().map { String($0.prefix(19)) } == ids.sorted(), "\(lines)")
        #expect(lines.dropFirst().allSatisfy { $0.hasSuffix(",\($0.prefix(19)),5,6") }, "\(lines)")
        #expect(result.exitCode == 0 && result.words.isEmpty, "\(result.words)")
    }

    @Test func `a tree has the points of each cluster, as deep as is asked for`() throws {
        let terminal = try ServingVerbsTests.terminal.get()
        let id = "\(try ServingVerbsTests().cluster)"
        func tree(depth: String) throws -> JSONNode {
            let result = try terminal.covey(
                "clusters", "points.mbtiles", id, "tree", "--json", "--depth", depth)
            return JSONNode(try JSONValue(parsing: result.output))
        }
        func points(_ node: JSONNode) throws -> Int {
            guard let children = try node.member("children")?.elements else { return 1 }
            return try children.map(points).reduce(0, +)
        }
        #expect(try points(tree(depth: "9")) == 4)
        #expect(try tree(depth: "0").member("children") == nil)
    }
}
