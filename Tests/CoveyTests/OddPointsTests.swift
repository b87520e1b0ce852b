import JSON
import Testing

/// What the program makes of points and options at the edge of sense: an error that says where, or
/// an archive in which nothing is wrong.
struct OddPointsTests {
    static let refused: [(csv: String, words: [String], problem: String)] = [
        ("lon,lat\nNaN,47\n8,47\n", [], "p.csv:2: row 1 has the longitude “NaN”, which is not"),
        ("lon,lat\n8,47\n8,-inf\n", [], "p.csv:3: row 2 has the latitude “-inf”, which is not"),
        ("lon,lat,w\n8,47,-1\n", ["--weight", "w"], "has the weight “-1”"),
        ("lon,lat,w\n8,47,1\n8,47,NaN\n", ["--weight", "w"], "has the weight “NaN”"),
        ("lon,lat,w\n8,47,heavy\n", ["--weight", "w"], "has the weight “heavy”"),
        ("lon,lat,w\n8,47,5e-324\n", ["--weight", "w"], "a number above 0 (1e-300 or more)"),
        ("lon,lat,w\n8,47,1e308\n8,47,1e308\n", ["--weight", "w"], "the weights add up to more"),
        ("lon,lat\n", [], "no points in p"),
        ("lon,lat\n,\n", ["--skip-invalid"], "p: read 1 row: 1 without coordinates"),
        ("", [], "p.csv: holds no data"),
        ("lon,lat\n8,47\n", ["--cluster-radius", "-1"], "--cluster-radius -1: this should be"),
        ("lon,lat\n8,47\n", ["--cluster-radius", "1e999"], "--cluster-radius 1e999: this should"),
        (
            "lon,lat\n8,47\n", ["--cluster-radius", "0", "--min-unique-locations", "2"],
            "a radius of 0 takes only points of one site together"
        ),
        (
            "lon,lat\n8,47\n", ["--keep-coincident", "--min-unique-locations", "2"],
            "keepCoincident makes clusters of one site and minUniqueLocations forbids them"
        ),
        (
            "lon,lat\n8,47\n", ["--algorithm", "grid", "--cluster-radius", #"{"0":50,"2":40}"#],
            "the cells of a grid must nest: between zooms 1 and 2"
        ),
    ]

    @Test(arguments: refused)
    func `bad points and contradictions are refused with a reason`(
        csv: String, words: [String], problem: String
    ) throws {
        let terminal = try Terminal()
        try terminal.write(csv, to: "p.csv")
        let result = try terminal.covey(
            "build", "p.csv", "-o", "p.mbtiles", "--max-zoom", "4", "--quiet", with: words)
        #expect([1, 2].contains(result.exitCode))
        #expect(result.words.contains(problem), "\(result.words)")
        #expect(throws: (any Error).self) { try terminal.bytes("p.mbtiles") }
    }

    /// Points whose clusters are right, though a hasty look takes them for wrong: numbers in a column of texts, a mean on
    /// the far side of the world, weights of many sizes, long degrees near a pole, more units than steps.
    static let sound: [(csv: String, words: [String])] = [
        (
            "lon,lat,w\n10,10,100\n10,10.2,300\n10,10.4,N/A\n10.1,10.2,200\n",
            [
                "--weight", "w", "--cluster-fields", "point_weight", "--skip-invalid", "--max-zoom",
                "3",
            ]
        ),
        (
            "lon,lat\n-1.38427734375,81.17786153785644\n180,85.0511287798066\n146.25,40.01702710902228\n",
            ["--max-zoom", "6", "--cluster-radius", "512", "--algorithm", "grid"]
        ),
        (
            """
            lon,lat,w
            -118.42055273792116,33.64896346135548,0.001
            -118.42055273792116,33.64896346135548,0.001
            -126.98982341051564,40.016998129828075,1e6

            """, ["--weight", "w", "--min-zoom", "21", "--max-zoom", "24"]
        ),
        (
            "lon,lat\n123.75,-84.45777535245688\n123.75,-84.45777535245688\n",
            ["--min-zoom", "20", "--max-zoom", "20", "--spread"]
        ),
        (
            "lon,lat\n179.99999999515478,-55.85890977678803\n179.99999996834762,-55.85890977678803\n",
            [
                "--cluster-radius", "0.37", "--min-zoom", "24", "--max-zoom", "24",
                "--cluster-max-zoom", "24",
            ]
        ),
    ]

    @Test(arguments: sound)
    func `a deep look finds nothing wrong where nothing is`(csv: String, words: [String]) throws {
        let terminal = try Terminal()
        try terminal.write(csv, to: "p.csv")
        let built = try terminal.covey("build", "p.csv", "-o", "p.mbtiles", "--quiet", with: words)
        #expect(built.exitCode == 0, "\(built.words)")
        let verified = try terminal.covey("verify", "p.mbtiles", "--deep")
        #expect(verified.exitCode == 0, "\(verified.words) \(verified.output)")
    }

    /// Past ±180, at the antimeridian, past the poles.
    static let edges = """
        lon,lat,v
        540,20,1
        -180,20,1e308
        179.99,0,1e308
        -179.99,0,-1e308
        190,10,2
        -170.001,10,3
        0,90,4
        1,-90,5
        1,-89.99,6

        """

    static let accepted: [(csv: String, words: [String], points: Int, nodes: Int)] = [
        (edges, [], 9, 3),
        (edges, ["--no-wrap"], 9, 4),
        (edges, ["--cluster-radius", "0"], 9, 7),
        (edges, ["--cluster-radius", "1e9"], 9, 1),
        (edges, ["--cluster-radius", "2e12", "--algorithm", "greedy"], 9, 1),
        (edges, ["--cluster-radius", "2e12", "--algorithm", "grid"], 9, 1),
        (edges, ["--keep-coincident", "--position", "nearest", "--group-by", "v"], 9, 8),
        ("lon,lat,v\n8,47,1\n", [], 1, 1),
        ("lon,lat,v\n8,47,1\nNaN,1,1\n", ["--skip-invalid"], 1, 1),
    ]

    @Test(arguments: accepted)
    func `points at the edge make an archive that is sound`(
        csv: String, words: [String], points: Int, nodes: Int
    ) throws {
        let terminal = try Terminal()
        try terminal.write(csv, to: "p.csv")
        let sums = ["sum", "median", "variance", "max"].flatMap { word in
            ["--aggregate", "\(word)=\(word):v"]
        }
        let built = try terminal.covey(
            "build", "p.csv", "-o", "p.mbtiles", "--max-zoom", "3", "--quiet",
            "--cluster-fields", "bbox", with: sums + words)
        #expect(built.exitCode == 0, "\(built.words)")
        let verified = try terminal.covey("verify", "p.mbtiles")
        #expect(verified.exitCode == 0, "\(verified.output) \(verified.words)")
        let tile = try terminal.covey("inspect", "p.mbtiles", "--nodes", "--zoom", "0")
        let rows = tile.output.split(separator: "\n")
        #expect(rows.count == nodes, "\(tile.output)")
        #expect(rows.compactMap { Int($0.prefix { $0 != " " }) }.reduce(0, +) == points)
        // No sum has run over, and no place is far off.
        #expect(!tile.output.contains("nan") && !tile.output.contains("inf"))
    }

    /// A unit of these tiles is smaller than a step of the positions that archives keep.
    @Test(arguments: [18, 22, 24])
    func `points of one place are sound where they are drawn apart at deep zooms`(zoom: Int) throws
    {
        let terminal = try Terminal()
        let places = ["10.123456,50.654321", "-180,7.1", "179.9999999,-7.7", "13.37,85.0511"]
        let points = places.flatMap { Array(repeating: $0, count: 4) }
        try terminal.write("lon,lat\n" + points.joined(separator: "\n") + "\n", to: "p.csv")
        let built = try terminal.covey(
            "build", "p.csv", "-o", "p.mbtiles", "--max-zoom", "\(zoom)", "--quiet", "--spread")
        #expect(built.exitCode == 0, "\(built.words)")
        let verified = try terminal.covey("verify", "p.mbtiles")
        #expect(verified.exitCode == 0, "\(verified.output) \(verified.words)")
    }

    @Test func `bins without clusters refuse what makes some`() throws {
        let terminal = try Terminal()
        try terminal.write("lon,lat\n1,1\n1,1\n", to: "p.csv")
        let built = try terminal.covey(
            "build", "p.csv", "-o", "p.mbtiles", "--no-clusters", "--bins", "hexagon",
            "--keep-coincident")
        #expect(built.exitCode == 2)
        #expect(built.words.contains("--no-clusters leaves nothing for --keep-coincident to do"))
    }

    @Test(arguments: ["p.mbtiles", "p.pmtiles"])
    func `without wrap a box around most of the world is not its complement`(name: String) throws {
        let terminal = try Terminal()
        try terminal.write("lon,lat\n-168.75,0\n168.75,0\n", to: "p.csv")
        let built = try terminal.covey(
            "build", "p.csv", "-o", name, "--max-zoom", "3", "--cluster-radius", "600", "--quiet",
            "--no-wrap", "--cluster-fields", "bbox")
        #expect(built.exitCode == 0, "\(built.words)")
        let tile = try terminal.covey("inspect", name, "0/0/0", "--geojson").output
        #expect(tile.contains("[-168.75,0,168.75,0]"), "\(tile)")
        let box = try terminal.covey(
            "clusters", name, "--containing=-168.75,0", "--zoom", "0", "bbox")
        #expect(box.output == "-168.75,0,168.75,0\n", "\(box.words)")
    }

    @Test func `a radius past the width of the world is refused`() throws {
        let terminal = try Terminal()
        try terminal.write("lon,lat\n8,47\n", to: "p.csv")
        let built = try terminal.covey(
            "build", "p.csv", "-o", "p.mbtiles", "--cluster-radius", "1e300")
        #expect(built.exitCode != 0 && built.words.contains("2^41"), "\(built.words)")
    }

    @Test(arguments: [
        ("180,0\n179.9,0\n", ["--no-wrap"], 1), ("-180,0\n179.9,0\n", ["--no-wrap"], 2),
        ("180,0\n179.9,0\n-180,0\n", [], 1),
    ])
    func `without wrap longitude 180 is the east edge and -180 the west one`(
        rows: String, words: [String], nodes: Int
    ) throws {
        let terminal = try Terminal()
        try terminal.write("lon,lat\n" + rows, to: "p.csv")
        let built = try terminal.covey(
            "build", "p.csv", "-o", "p.mbtiles", "--max-zoom", "3", "--quiet", with: words)
        #expect(built.exitCode == 0, "\(built.words)")
        let tile = try terminal.covey("inspect", "p.mbtiles", "--nodes", "--zoom", "0")
        #expect(tile.output.split(separator: "\n").count == nodes, "\(tile.output)")
    }

    @Test func `ids past 2^31 stay as they are`() throws {
        let terminal = try Terminal()
        try terminal.write(
            "lon,lat,key\n8,47,3000000000\n9,47,9007199254740991\n", to: "p.csv")
        let built = try terminal.covey(
            "build", "p.csv", "-o", "p.mbtiles", "--max-zoom", "6", "--quiet", "--id", "key")
        #expect(built.exitCode == 0, "\(built.words)")
        let nodes = try terminal.covey("inspect", "p.mbtiles", "--nodes", "--zoom", "6").output
        #expect(nodes.contains(" 3000000000\n") && nodes.contains(" 9007199254740991\n"))
    }

    @Test func `queries answer across the antimeridian and at the poles`() throws {
        let terminal = try Terminal()
        try terminal.write(Self.edges, to: "p.csv")
        _ = try terminal.covey("build", "p.csv", "-o", "p.mbtiles", "--max-zoom", "3", "--quiet")
        func ask(_ words: String...) throws -> String {
            try terminal.covey("clusters", "p.mbtiles", with: words).output
        }
        func containing(_ place: String) throws -> String {
            try ask("--containing", place, "--zoom", "0").split(separator: "\n").last
                .map { String($0.drop { $0 == " " }.prefix { $0 != " " }) } ?? ""
        }
        let id = try containing("180,20")
        let others = [try containing("-179.9,0"), try containing("-170,10")]
        #expect(others == [id, id])
        let corners = try ask(id, "bbox").split(separator: ",").compactMap {
            Double($0.filter { $0 != "\n" })
        }
        #expect(corners.count == 4 && corners[0] > 179.98 && abs(corners[2] + 170) < 1e-3)
        // The hull is in one piece: all its corners lie on one side of the world.
        let hull = try ask(id, "hull").split(separator: "\n").compactMap {
            Double($0.prefix { $0 != " " })
        }
        #expect(hull.count >= 3 && (hull.max() ?? 0) - (hull.min() ?? 0) < 11)
        #expect(try ask(id, "leaves", "--offset", "5").split(separator: "\n").count == 2)
        let poles = [try containing("0,-90"), try containing("0,90")]
        #expect(Set(poles + [id]).count == 3)
    }
}
