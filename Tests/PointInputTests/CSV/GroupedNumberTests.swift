import PointInput
import Points
import Testing

/// Dots and commas of numbers, of which some are decimal and some group thousands.
struct GroupedNumberTests {
    static let table = "Name;Länge;Breite;Einwohner\nA;13,405;52,52;644.826\nB;11,582;48,1351;"

    @Test func `dots that may group thousands make texts, and the report says so`() throws {
        for (rest, isNumber) in [
            ("1.471\nC;10,0;50,0;982\nD;10;50;7\n", false), ("1.471\nC;10,0;50,0;1,5\n", false),
            ("1.234.567\n", false), ("1.5\n", true), ("0.125\n", true), ("1.4711\n", true),
        ] {
            for (pieceSize, threads) in [(1, 1), (16, 3), (1 << 18, 1)] {
                var options = InputOptions()
                (options.pieceSize, options.threads) = (pieceSize, threads)
                let reading = try Reading(Self.table + rest, name: "t.csv", options: options)
                let value = reading.attributes(0)["Einwohner"]
                #expect(value == (isNumber ? .number(644.826) : .text("644.826")), "\(rest)")
                #expect(
                    reading.report.notes.contains {
                        $0.hasPrefix("t.csv: the values of Einwohner stay texts")
                            && $0.contains("--type Einwohner:number")
                    } != isNumber)
            }
        }
    }

    @Test func `a table without decimal commas, and a column that is not read, have no such note`()
        throws
    {
        let plain = try Reading(
            "x;y;v\n1.5;2;644.826\n1;2;1.471\n", name: "t.csv")
        #expect(plain.attributes(1) == ["v": .number(1.471)] && plain.report.notes.isEmpty)
        var options = InputOptions()
        options.excluded = ["Einwohner"]
        let left = try Reading(Self.table + "1.471\n", name: "t.csv", options: options)
        #expect(left.table.count == 2 && left.report.notes.isEmpty)
        options.excluded = []
        options.kinds = ["Einwohner": .number]
        let asked = try Reading(Self.table + "1.471\n", name: "t.csv", options: options)
        #expect(asked.attributes(1)["Einwohner"] == .number(1.471))
        #expect(asked.report.notes.isEmpty)
    }

    @Test func `a decimal comma far down in a table has it read again`() throws {
        let rows = (0..<4_000).map { "\($0 % 90).5;2;\($0 % 9 + 1).234;\($0)" }
        let text = "x;y;v;w\n" + rows.joined(separator: "\n")
        for (end, isNumber) in [("1,5;2;1.234;1", false), ("1,5;2;1.5;1", true), ("1;2;3;1", true)]
        {
            let reading = try Reading("\(text)\n\(end)\n", name: "t.csv")
            #expect(reading.table.count == 4_001 && reading.report.records == 4_001)
            #expect(
                reading.attributes(0) == [
                    "v": isNumber ? .number(1.234) : .text("1.234"), "w": .integer(0),
                ])
        }
    }

    @Test func `numbers that are asked for may have decimal commas`() throws {
        func value(
            _ cell: String, _ delimiter: String = ";", x: String = "1.5",
            _ kind: AttributeKind = .number
        ) throws -> AttributeValue? {
            var options = InputOptions()
            (options.kinds, options.tolerance) = (["v": kind], .all)
            let text = ["x", "y", "v"].joined(separator: delimiter) + "\n"
            let row = [x, "2", cell].joined(separator: delimiter) + "\n"
            let reading = try Reading(text + row, name: "t.csv", options: options)
            return reading.table.count == 0 ? nil : reading.attributes(0)["v"]
        }
        for delimiter in [";", "\t", "|"] {
            #expect(try value("1,5", delimiter) == .number(1.5))
            #expect(try value("-1234,567", delimiter) == .number(-1234.567))
            #expect(try value("2,0", delimiter, .integer) == .integer(2))
            #expect(try value("1,5", delimiter, .text) == .text("1,5"))
            // This comma may group thousands, unless the table has decimal ones.
            #expect(try value("1,234", delimiter) == nil)
            #expect(try value("1,234", delimiter, x: "1,5") == .number(1.234))
            #expect(try value("1,234,567", delimiter, x: "1,5") == nil)
        }
        #expect(try value("\"1,5\"", ",") == nil)
        let answer = complaint(about: "x;y;v\n1,5;2;1,5\n1;2;k.A.\n", name: "t.csv") {
            $0.kinds = ["v": .number]
        }
        #expect(
            answer?.hasPrefix(
                "t.csv:3: row 2 has “k.A.” as v, which is no number\nname values that mean none, as --nodata=NA does"
            )
                == true)
    }
}
