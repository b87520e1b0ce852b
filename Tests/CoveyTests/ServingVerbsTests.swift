import Foundation
import JSON
import Testing

/// `covey serve`, `covey clusters` and `covey style`, run as a person runs them.
struct ServingVerbsTests {
    /// Four inns around a corner of the equator, two of them in one place, and a far one.
    static let points = """
        id,lon,lat,name
        1,10,0,"a, b"
        2,10.2,0,b
        3,10.2,0,c
        4,10,0.2,d
        5,-170,60,e
        """

    static let terminal = Result { () throws -> Terminal in
        let terminal = try Terminal()
        try terminal.write(Self.points, to: "points.csv")
        let built = try terminal.covey(
            "build", "points.csv", "-o", "points.mbtiles", "--quiet", "--max-zoom", "8", "--id",
            "id", "--include", "name")
        guard built.exitCode == 0 else { throw Failure(words: built.words) }
        return terminal
    }

    struct Failure: Error { let words: String }

    /// What `covey clusters` prints; ids of clusters are written CLUSTER.
    func clusters(_ words: String...) throws -> String {
        let terminal = try Self.terminal.get()
        let id = "\(try cluster)"
        let result = try terminal.covey(
            "clusters", "points.mbtiles",
            with: words.map { $0.replacing("CLUSTER", with: id) })
        #expect(result.exitCode == 0, "\(result.words)")
        return result.output
    }

    var cluster: Int64 {
        get throws {
            let found = try Self.terminal.get().covey(
                "clusters", "points.mbtiles", "--containing", "10,0", "--zoom", "0", "--geojson")
            let node = JSONNode(try JSONValue(parsing: found.output))
            let feature = try #require(try node.required("features").elements.first)
            return try feature.required("properties").required("cluster_id").integer
        }
    }

    @Test func `leaves are points, as table, as GeoJSON and as CSV`() throws {
        let csv = try clusters("CLUSTER", "leaves", "--csv").split(separator: "\n").map(String.init)
        #expect(csv[0] == "id,longitude,latitude,name" && csv.count == 5)
        let first = try #require(csv.first { $0.hasPrefix("1,") }).split(separator: ",")
        #expect(first.suffix(2) == ["\"a", " b\""])
        #expect(abs((Double(first[1]) ?? 0) - 10) < 1e-6)
        let page = try clusters("CLUSTER", "leaves", "--csv", "--offset", "1", "--limit", "2")
        #expect(page.split(separator: "\n").map(String.init) == [csv[0], csv[2], csv[3]])
        let list = JSONNode(
            try JSONValue(parsing: clusters("CLUSTER", "leaves", "--geojson", "--limit", "3")))
        #expect(try list.required("features").elements.count == 3)
        let table = try clusters("CLUSTER", "leaves").split(separator: "\n")
        #expect(table.count == 5 && table[0].contains("longitude"))
    }

    @Test func `children, parent, zoom, box and tree are told`() throws {
        let zoom = try #require(Int(clusters("CLUSTER", "expansion-zoom").trimmed))
        #expect((1...8).contains(zoom))
        let children = JSONNode(
            try JSONValue(parsing: clusters("CLUSTER", "children", "--geojson")))
        let features = try children.required("features").elements
        #expect(features.count > 1)
        let counts = try features.map {
            try $0.required("properties").member("point_count")?.integer ?? 1
        }
        for feature in features {
            let carried = try feature.required("properties")
            // As the tiles have them, with all that they say.
            #expect(try feature.required("layer").string == "points")
            if let count = try carried.member("point_count")?.integer {
                #expect(try carried.required("point_count_abbreviated").string == "\(count)")
            }
        }
        #expect(counts.reduce(0, +) == 4)
        let sides = try clusters("CLUSTER", "bbox").trimmed.split(separator: ",")
            .compactMap { Double($0) }
        for (side, degrees) in zip(sides, [10, 0, 10.2, 0.2]) {
            #expect(abs(side - degrees) < 1e-6)
        }
        #expect(sides.count == 4)
        let child = try features.lazy.compactMap {
            try $0.required("properties").member("cluster_id")?.integer
        }.first
        if let child {
            let parent = try clusters("\(child)", "parent", "--geojson")
            let found = JSONNode(try JSONValue(parsing: parent)).value.text()
            #expect(found.contains(#""cluster_id":\#(try cluster)"#))
        }
        let tree = try clusters("CLUSTER", "tree", "--depth", "9").split(separator: "\n")
        #expect(tree[0].hasPrefix("4 points, id \(try cluster), until zoom "))
        #expect(tree.filter { $0.contains("· ") }.count == 4)
        #expect(tree.dropFirst().allSatisfy { $0.hasPrefix("  ") })
        #expect(try clusters("CLUSTER", "tree", "--depth", "0").split(separator: "\n").count == 1)
        let shallow = try clusters("CLUSTER", "tree", "--depth", "1").split(separator: "\n")
        #expect(shallow.count == 1 + features.count)
    }

    @Test func `a hull is the points' outline`() throws {
        let lines = try clusters("CLUSTER", "hull").split(separator: "\n")
        #expect(lines.count == 3 && lines.allSatisfy { $0.split(separator: " ").count == 2 })
        let text = try clusters("CLUSTER", "hull", "--geojson")
        let ring = try JSONNode(JSONValue(parsing: text)).required("geometry")
            .required("coordinates").elements[0]
            .elements.map { try $0.elements.map { try $0.number } }
        #expect(try text == clusters("CLUSTER", "hull", "--json"))
        #expect(text.contains("Polygon") && ring.first == ring.last && ring.count == 4)
        // Counterclockwise: the area, as the shoelace has it, is above 0 (RFC 7946, 3.1.6).
        let area = zip(ring, ring.dropFirst()).reduce(0) {
            $0 + $1.0[0] * $1.1[1] - $1.1[0] * $1.0[1]
        }
        #expect(area > 0)
    }

    @Test func `an id of no cluster is told with where ids are`() throws {
        let result = try Self.terminal.get().covey("clusters", "points.mbtiles", "999")
        #expect(result.exitCode == 1)
        #expect(
            result.words == "covey: points.mbtiles: no cluster has the id 999; tiles carry ids as "
                + "cluster_id, and 'covey clusters points.mbtiles --containing LON,LAT --zoom Z' "
                + "finds one\n")
    }

    /// Clusters above the shallowest tile are told from the index alone.
    @Test(arguments: [("k", "1.5k"), ("K", "1.5K"), ("none", "1500")])
    func `counts have the letters that the archive was built with, wherever they are told`(
        letters: String, text: String
    ) throws {
        let terminal = try Terminal()
        try terminal.write(
            "lon,lat\n" + String(repeating: "7,46\n", count: 1_500), to: "points.csv")
        let built = try terminal.covey(
            "build", "points.csv", "-o", "a.mbtiles", "--quiet", "--min-zoom", "2", "--max-zoom",
            "4", "--count-letters", letters)
        #expect(built.exitCode == 0, "\(built.words)")
        for zoom in ["0", "3"] {
            let found = try terminal.covey(
                "clusters", "a.mbtiles", "--containing", "7,46", "--zoom", zoom, "--geojson")
            #expect(
                found.output.contains(#""point_count_abbreviated":"\#(text)""#), "\(found.output)")
        }
        for options in [[], ["--deep"]] {
            let verified = try terminal.covey("verify", "a.mbtiles", with: options)
            #expect(verified.exitCode == 0, "\(verified.output)")
        }
    }

    @Test(arguments: [
        ["clusters", "points.mbtiles"], ["clusters", "points.mbtiles", "-1"],
        ["clusters", "points.mbtiles", "1", "nothing"],
        ["clusters", "points.mbtiles", "--containing", "0,0"],
        ["clusters", "points.mbtiles", "--containing", "0,0", "--zoom", "32"],
        ["clusters", "points.mbtiles", "1", "leaves", "--limit", "-1"],
        ["clusters", "points.mbtiles", "1", "leaves", "--geojson", "--csv"],
        ["clusters", "points.mbtiles", "1", "leaves", "--json", "--csv"],
        ["serve", "--port", "65536", "/nowhere"], ["serve", "--port", "-1", "/nowhere"],
        ["serve", "--threads", "0", "/nowhere"], ["serve", "--timeout", "0", "/nowhere"],
        ["serve", "--max-connections", "1000001", "/nowhere"],
        ["serve", "--max-connections-per-ip", "0", "/nowhere"],
        ["serve", "--cache-control", "a\u{7F}", "/nowhere"],
        ["serve", "--cache-control", "é", "/nowhere"],
        ["serve", "--cors", "*", "--cors", "https://a.example", "/nowhere"], ["serve"], ["style"],
    ])
    func `bad usage is refused before anything is opened`(words: [String]) throws {
        let result = try Self.terminal.get().covey(words[0], with: Array(words.dropFirst()))
        #expect(result.exitCode == 2, "\(result.words)")
        #expect(result.words.hasPrefix("covey: "))
    }

    @Test(arguments: [
        ["--port", "65535"], ["--port", "0"], ["--cache-control", "~ "], ["--threads", "1"],
        ["--max-connections", "1000000"], ["--max-connections-per-ip", "1"], ["--timeout", "1"],
    ])
    func `what is just within bounds is taken`(words: [String]) throws {
        let result = try Self.terminal.get().covey("serve", with: words + ["/nowhere"])
        #expect(result.exitCode == 1)
        #expect(result.words.contains("there is no archive to serve in /nowhere"))
    }

    @Test func `a style is printed for wherever the archive will be`() throws {
        let terminal = try Self.terminal.get()
        let here = try terminal.covey("style", "points.mbtiles")
        #expect(here.exitCode == 0)
        #expect(here.output.contains(#""http://127.0.0.1:8080/points""#))
        let there = try terminal.covey("style", "points.mbtiles", "--url", "https://a.example/x")
        let style = JSONNode(try JSONValue(parsing: there.output))
        let source = try style.required("sources").required("points")
        #expect(try source.required("url").string == "https://a.example/x")
    }

    @Test(arguments: [
        (["points.mbtiles"], "1 archive"), (["a=points.mbtiles", "points.mbtiles"], "2 archives"),
    ])
    func `serving begins with an address and ends with a signal`(
        paths: [String], said: String
    ) throws {
        let process = Process()
        process.executableURL = Terminal.program
        process.arguments = ["serve", "--port", "0"] + paths
        process.currentDirectoryURL = try Self.terminal.get().folder
        let words = Pipe()
        process.standardError = words
        try process.run()
        var text = ""
        while !text.contains("\n") {
            let data = words.fileHandleForReading.availableData
            if data.isEmpty { break }
            text += String(decoding: data, as: UTF8.self)
        }
        #expect(text.hasPrefix("serving \(said) at http://127.0.0.1:"))
        process.terminate()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }
}

extension String {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
