import PointInput
import Points
import TestSupport
import Testing

struct CSVTests {
    @Test(arguments: [",", ";", "\t", "|"], ["\n", "\r\n"])
    func `delimiter, header and line ends are found`(delimiter: String, end: String) throws {
        let rows = [["Lon", "LAT", "name"], ["1.5", "-2.25", "a b"], ["3", "4", "c"]]
        let text = rows.map { $0.joined(separator: delimiter) }.joined(separator: end)
        let reading = try Reading(text, name: "t.csv")
        #expect(reading.table.count == 2)
        #expect(abs(reading.longitude(0) - 1.5) < 1e-12 && abs(reading.latitude(0) + 2.25) < 1e-12)
        #expect(reading.attributes(0) == ["name": .text("a b")])
        #expect(reading.attributes(1) == ["name": .text("c")])
    }

    @Test func `quoted cells hold delimiters, quotes and newlines`() throws {
        let reading = try Reading(
            "lat,lon,t\r\n1,2,\"a,\"\"b\"\"\r\nc\"\r\n\"3\",\" 4 \",5\" pipe\n", name: "t.csv")
        #expect(reading.attributes(0) == ["t": .text("a,\"b\"\r\nc")])
        #expect(reading.attributes(1) == ["t": .text("5\" pipe")])
        #expect(abs(reading.latitude(1) - 3) < 1e-12 && abs(reading.longitude(1) - 4) < 1e-12)
    }

    @Test(arguments: ["123456789", "-123456789", "7.5", "a text"])
    func `a row has more columns than its first room holds`(cell: String) throws {
        let names = (0..<800).map { "c\($0)" }
        let row = "1,2," + names.map { _ in cell }.joined(separator: ",")
        let text = (["x,y," + names.joined(separator: ","), row, row]).joined(separator: "\n")
        let reading = try Reading(text + "\n", name: "t.csv")
        let expected: AttributeValue =
            switch cell {
            case "123456789": .integer(123_456_789)
            case "-123456789": .integer(-123_456_789)
            case "7.5": .number(7.5)
            default: .text(cell)
            }
        for point in 0..<2 {
            let attributes = reading.attributes(point)
            #expect(attributes.count == 800 && attributes.values.allSatisfy { $0 == expected })
        }
    }

    @Test(arguments: [
        "7\r8", "-9223372036854775809", "-9223372036854775808", "7\r", "12e4567", "-1e309",
        "1\(String(repeating: "0", count: 320)).5",
    ])
    func `a cell is the same whatever rows come before it`(cell: String) throws {
        let rows = ["1,2,5", "3,4,6", "5,6,\(cell)"]
        var seen: Set<String> = []
        for start in rows.indices {
            let turned = Array(rows[start...] + rows[..<start])
            let text = (["x,y,a"] + turned).joined(separator: "\n") + "\n"
            let reading = try Reading(text, name: "t.csv")
            let all = (0..<reading.table.count).map { point in
                "\(reading.longitude(point)) \(reading.attributes(point))"
            }
            seen.insert(all.sorted().joined(separator: ", "))
        }
        #expect(seen.count == 1, "\(seen)")
    }

    @Test func `a column is of one kind from the first row to the last`() throws {
        let reading = try Reading(
            """
            x,y,code,n,flag,mixed,blank,big
            0,0,007,1,true,1,,1
            0,0,12,2.50,False,true,,123456789012345678901234567890
            """, name: "t.csv")
        #expect(
            reading.attributes(0) == [
                "code": .text("007"), "n": .integer(1), "flag": .bool(true), "mixed": .text("1"),
                "big": .text("1"),
            ])
        #expect(
            reading.attributes(1) == [
                "code": .text("12"), "n": .number(2.5), "flag": .bool(false),
                "mixed": .text("true"), "big": .text("123456789012345678901234567890"),
            ])
    }

    @Test(arguments: [1, 3])
    func `a column whose last cell is a text is of texts, spelled as they were`(
        threads: Int
    ) throws {
        var rows = (0..<20_000).map { "\($0 % 90),\($0 % 80),\($0).50" }
        rows.append("1,1,end")
        var options = InputOptions()
        options.threads = threads
        options.pieceSize = 4_096
        let reading = try Reading(
            "x,y,v\n" + rows.joined(separator: "\n"), name: "t.csv", options: options)
        #expect(reading.table.count == 20_001 && reading.report.records == 20_001)
        #expect(reading.attributes(17) == ["v": .text("17.50")])
        #expect(reading.attributes(20_000) == ["v": .text("end")])
    }

    @Test func `kinds can be asked for`() throws {
        var options = InputOptions()
        options.kinds = ["a": .text, "b": .bool, "c": .integer, "d": .number]
        let reading = try Reading(
            "x,y,a,b,c,d\n0,0,1.50,1,007,00.5\n0,0,1,0,00,08", name: "t.csv", options: options)
        #expect(
            reading.attributes(0) == [
                "a": .text("1.50"), "b": .bool(true), "c": .integer(7), "d": .number(0.5),
            ])
        #expect(
            reading.attributes(1) == [
                "a": .text("1"), "b": .bool(false), "c": .integer(0), "d": .integer(8),
            ])
        for cell in ["1e400", "-1e400", "1.7976931348623159e308"] {
            let answer = complaint(about: "x,y,c\n0,0,\(cell)\n", name: "t.csv") {
                $0.kinds = ["c": .number]
            }
            #expect(answer?.contains("has “\(cell)” as c, which is no number") == true)
        }
        for cell in ["0x1", "0-1", "7a", "1.5"] {
            let answer = complaint(about: "x,y,c\n0,0,\(cell)\n", name: "t.csv") {
                $0.kinds = ["c": .integer]
            }
            #expect(answer?.contains("has “\(cell)” as c, which is no integer") == true)
        }
    }

    @Test(arguments: [
        ("PointZ (1 2 3)", 1), ("POINTM(1 2 3)", 1), ("POINTZM (1 2 3 4)", 1),
        ("\"MULTIPOINTZ ((1 2 3), (3 4 5))\"", 2),
        ("POINT (1 2)", 1), ("point z(1 2 3)", 1), ("SRID=4326;POINT(1 2)", 1),
        ("\"MULTIPOINT ((1 2), (3 4))\"", 2), ("\"MULTIPOINT (1 2, 3 4)\"", 2),
        ("\"{\"\"type\"\":\"\"Point\"\",\"\"coordinates\"\":[1,2]}\"", 1),
    ])
    func `a geometry may stand in one cell`(cell: String, count: Int) throws {
        let reading = try Reading("name,geom\na,\(cell)\n", name: "t.csv")
        #expect(reading.table.count == count)
        #expect(abs(reading.longitude(0) - 1) < 1e-12 && abs(reading.latitude(0) - 2) < 1e-12)
    }

    @Test func `rows without coordinates are counted and left out`() throws {
        let reading = try Reading("x,y,n\n1,2,a\n,,b\n\n3,,c\n", name: "t.csv")
        #expect(reading.table.count == 1)
        #expect(reading.report.records == 3 && reading.report.rejected == [.noLocation: 2])
        #expect(
            reading.report.samples.map(\.description) == [
                "t.csv:3: row 2 has no coordinates", "t.csv:5: row 3 has no coordinates",
            ])
    }

    @Test func `rows that take a closer look come out like those that don't`() throws {
        var random = SeededRandom(seed: 31)
        let numbers = [
            "0", "-0", "7", "-12345", "1234567", "12345678", "18446744073709551615", "0.5",
            "-3.25", "1e3", "12.3456789012345", "0.1234567890123456789", "9007199254740993", "",
        ]
        let texts = [
            "", "a", "12345678", "Zürich", "a\tb", "5\" pipe", "\"\"", "\"a,b\"", "\"a\nb\"",
            "\"say \"\"x\"\"\"", String(repeating: "long ", count: 40),
            String(repeating: "é", count: 3_000), "+1", "TRUE",
        ]
        let bools = ["true", "False", "TRUE", "false", ""]
        let rows = (0..<3_000).map { row in
            let end = random.next() % 5 == 0 ? "\r\n" : "\n"
            let x = Double(random.next() % 360_000_000) / 1e6 - 180
            return "\(x),\(row % 90).5,\(numbers[Int(random.next() % 14)]),"
                + "\(texts[Int(random.next() % 14)]),\(bools[Int(random.next() % 5)]),"
                + "\(row),\(texts[Int(random.next() % 14)])" + end
        }
        var options = InputOptions()
        options.idAttribute = "id"
        options.excluded = ["gone"]
        let header = "x,y,n,t,b,id,gone"
        let plain = try Reading("\(header)\n\(rows.joined())", name: "t.csv", options: options)
        // No row has a cell for the last column, so each is looked at closely.
        let close = try Reading(
            "\(header),more\n\(rows.joined())", name: "t.csv", options: options)
        try #require(plain.table.count == 3_000 && close.table.count == 3_000)
        for row in 0..<3_000 {
            #expect(plain.table.position(of: row) == close.table.position(of: row))
            #expect(plain.table.ids?[row] == UInt64(row) && close.table.ids?[row] == UInt64(row))
            let names = ["n", "t", "b", "gone"]
            for name in names {
                let value = close.table.attributes.value(of: name, row: row)
                #expect(plain.table.attributes.value(of: name, row: row) == value)
            }
        }
    }
}
