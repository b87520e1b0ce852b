import Expressions
import Foundation
import JSON
import PointInput
import Points
import Testing

/// Attributes that come from a table of codes.
struct JoinTests {
    static let codes = "code;name;rank;empty\n007;Bond;1;\n8;Züri;2;\n9;\"a;b\";3;\n"

    static func read(
        _ text: String, codes: String = codes, key: String = "code", column: String = "c",
        _ change: (inout InputOptions) throws -> Void = { _ in }
    ) throws -> (points: [ReadPoint], report: InputReport) {
        let file = TemporaryFile(Data(codes.utf8))
        defer { file.remove() }
        var options = InputOptions()
        options.join = try JoinTable(
            reading: .file(file.path, named: "codes.csv"), key: key, column: column,
            options: options)
        try change(&options)
        let (table, report) = try PointTable.read(
            bytes: Array(text.utf8), named: "t", options: options)
        return (table.readPoints, report)
    }

    static let csv = "lon,lat,c,rank\n1,2,007,9\n3,4,8,9\n5,6,x,9\n7,8,,9\n"
    static let lines: String = {
        let properties = [
            #"{"c":"007","rank":9}"#, #"{"c":8,"rank":9}"#, #"{"rank":9,"c":"x"}"#, #"{"rank":9}"#,
        ]
        var text = ""
        for (row, properties) in properties.enumerated() {
            let point = "{\"type\":\"Point\",\"coordinates\":[\(2 * row + 1),\(2 * row + 2)]}"
            text += "{\"type\":\"Feature\",\"properties\":\(properties),\"geometry\":\(point)}\n"
        }
        return text
    }()

    @Test(arguments: [csv, lines])
    func `a point gets the columns of its code's row, in place of its own`(text: String) throws {
        for (pieceSize, threads) in [(1, 1), (20, 3), (1 << 16, 2)] {
            let (points, report) = try Self.read(text) {
                ($0.pieceSize, $0.threads) = (pieceSize, threads)
            }
            #expect(
                points.map { $0.attributes["name"] } == [.text("Bond"), .text("Züri"), nil, nil])
            #expect(
                points.map { $0.attributes["rank"] } == [
                    .integer(1), .integer(2), .integer(9), .integer(9),
                ])
            #expect(
                points.allSatisfy { $0.attributes["code"] == nil && $0.attributes["empty"] == nil })
            #expect(report.notes.contains { $0.hasPrefix("t: codes.csv has no row for 2 ") })
        }
    }

    @Test func `what is joined can be filtered, left out and turned into other kinds`() throws {
        let (points, report) = try Self.read(Self.csv) {
            $0.excluded = ["c", "rank"]
            $0.filter = try Expression(
                parsing: JSONValue(parsing: #"["==", ["get", "rank"], 2]"#), as: .filter)
        }
        #expect(points.map(\.attributes) == [["name": .text("Züri")]])
        #expect(report.rejected == [.filtered: 3])
        let texts = try Self.read(Self.csv) { $0.kinds = ["rank": .text] }.points
        #expect(texts[0].attributes["rank"] == .text("1"))
    }

    @Test func `columns of a table of codes have names of their own, without invisible marks`()
        throws
    {
        let error = #expect(throws: InputError.self) {
            try Self.read(Self.csv, codes: "code,label,label\n007,a,b\n")
        }
        #expect(error == .duplicateColumn(input: "codes.csv", column: "label"))
        let marked = "\u{200B}code"
        let (points, report) = try Self.read(
            Self.csv, codes: "\(marked),name\n007,a\n", key: marked)
        #expect(points[0].attributes["name"] == .text("a"))
        let note =
            "codes.csv: invisible characters around names of columns are no part of them: code"
        #expect(report.notes.contains(note), "\(report.notes)")
    }

    @Test func `numbers of a table of codes may have decimal commas`() throws {
        for delimiter in [";", "\t"] {
            func joined(_ cells: String...) throws -> (value: AttributeValue?, notes: [String]) {
                let rows = cells.enumerated().map { "\($0 + 7)\(delimiter)\($1)\n" }.joined()
                let (points, report) = try Self.read(
                    "lon,lat,c\n1,2,7\n", codes: "code\(delimiter)v\n\(rows)")
                return (points[0].attributes["v"], report.notes)
            }
            #expect(try joined("1,5", "2", "1,234").value == .number(1.5))
            #expect(try joined("1,234", "0,5").value == .number(1.234))
            // These may be thousands, and those are no numbers throughout.
            #expect(try joined("1,234", "2,345").value == .text("1,234"))
            #expect(try joined("1,5", "a").value == .text("1,5"))
            #expect(try joined("1.234", "2").value == .number(1.234))
            let doubtful = try joined("1.234", "2,5")
            #expect(doubtful.value == .text("1.234"))
            #expect(
                doubtful.notes.contains { $0.hasPrefix("codes.csv: the values of v stay texts") })
        }
    }

    @Test func `a table that cannot be joined is refused with what would do`() {
        func words(_ codes: String, _ key: String = "code") -> String? {
            let error = #expect(throws: InputError.self) {
                _ = try Self.read(Self.csv, codes: codes, key: key)
            }
            return error.map { "\($0)\n\($0.advice ?? "")" }
        }
        #expect(words(Self.codes, "Code")?.contains("has no column Code\nit has code") == true)
        let twice = words("code,a\n1,2\n1,3\n")
        #expect(twice?.contains("codes.csv: has more than one row whose code is “1”") == true)
    }
}

extension JoinTests {
    @Test(arguments: ["PAR1", "SQLite format 3\0", "<kml>", #"[{"code":1}]"#])
    func `a table of another format is to be saved as CSV`(codes: String) {
        let error = #expect(throws: InputError.self) { try Self.read(Self.csv, codes: codes) }
        #expect(error?.description == "codes.csv: is no CSV, and --join reads only that")
        #expect(error?.advice == "save it as CSV")
    }
}

/// What is said of points that lie where they should not.
struct InputSurveyTests {
    static func notes(
        _ places: [Place], _ change: (inout InputOptions) -> Void = { _ in }
    ) throws -> [String] {
        var notes: [[String]] = []
        for isTurned in [false, true] {
            let places = isTurned ? Array(places.reversed()) : places
            var options = InputOptions()
            (options.pieceSize, options.threads) = (isTurned ? 50 : 1 << 16, 2)
            change(&options)
            let text = "lon,lat\n" + places.map { "\($0.0),\($0.1)\n" }.joined()
            notes.append(
                try PointTable.read(bytes: Array(text.utf8), named: "t", options: options).report
                    .notes)
        }
        #expect(notes[0] == notes[1])
        return notes[0]
    }

    typealias Place = (Double, Double)

    /// So many places in steps from a corner, each axis starting again after some.
    static func places(_ count: Int, from corner: Place, by step: Place, across: (Int, Int))
        -> [Place]
    {
        (0..<count).map { number -> Place in
            let x: Double = corner.0 + step.0 * Double(number % across.0)
            let y: Double = corner.1 + step.1 * Double(number % across.1)
            return (x, y)
        }
    }

    static let town = places(200, from: (8, 47), by: (0.02, 0.02), across: (20, 17))

    @Test func `points at home are nothing to speak of`() throws {
        #expect(try Self.notes(Self.town) == [])
        let world = Self.places(500, from: (-179.5, -70.5), by: (1.01, 1.3), across: (353, 107))
        #expect(try Self.notes(world) == [])
        // On both sides of the antimeridian.
        let fiji = Self.places(200, from: (-179.5, -17), by: (359, 0.1), across: (2, 19))
        #expect(try Self.notes(fiji) == [])
    }

    @Test func `what is odd is said in a sentence`() throws {
        let origin: Place = (0, 0)
        let home = Array(Self.town.prefix(50))
        #expect(
            try Self.notes([origin, origin] + home) == [
                "t: 2 points are at longitude 0, latitude 0, where programs put unknown places"
            ])
        let far: Place = (8, -33)
        #expect(try Self.notes(Self.town + [far]) == ["t: 1 point is far outside the rest"])
        let poles: [Place] = [(8, 90), (9, -86), (10, 85.0511287798066), (10, 85.05)]
        #expect(
            try Self.notes(poles) == [
                "t: 3 points are past 85.05° north or south, where the map ends, and drawn at its edge"
            ])
        let line = Self.places(9, from: (8.5, 1), by: (0, 1), across: (9, 9))
        #expect(try Self.notes(line) == ["t: all points are on one line"])
        let stack = Self.places(9, from: (8.5, 1), by: (0, 0), across: (9, 9))
        #expect(try Self.notes(stack) == ["t: all points are at one place"])
        #expect(try Self.notes([far]) == [])
        let swapped = "t: longitude and latitude look swapped; --x and --y name their columns"
        let exchanged = try Self.notes(Self.town) { ($0.xColumn, $0.yColumn) = ("lat", "lon") }
        #expect(exchanged == [swapped])
        // Those of Asia can be no latitudes: the names are crossed, and the columns named rightly.
        let asia = Self.places(9, from: (30, 91), by: (1, 5), across: (9, 9))
        let right = try Self.notes(asia) { ($0.xColumn, $0.yColumn) = ("lat", "lon") }
        #expect(right == [])
        let america = Self.places(40, from: (30, -120), by: (0.1, 1), across: (40, 40))
        let notes = try Self.notes(america) { $0.tolerance = .all }
        #expect(notes.contains(swapped))
    }
}
