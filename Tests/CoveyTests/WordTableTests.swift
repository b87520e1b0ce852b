import Foundation
import JSON
import TestSupport
import Testing

@testable import covey

/// Names, tables and numbers, against plain second ways to write them.
struct WordTableTests {
    @Test func `inputs are layers by their names`() {
        for (input, name) in [
            ("a.csv", "a"), ("b/a.geojson.gz", "a"), ("https://x.org/d/p.csv?k=v", "p"),
            ("-", "points"),
            ("/", "points"), (".csv", "csv"), ("a", "a"), ("d/.x", "x"), ("d/", "d"),
            ("d/*.csv", "d"), ("*.csv", "points"), ("d/k=*/y=2024/*.csv", "d"),
        ] {
            #expect(LayerName.stem(of: input) == name, "\(input)")
        }
        let named = ["n:x.csv", "n:y.csv", #"{"file": "z.csv", "layer": "m"}"#, #"{"file": ""}"#]
            .compactMap {
                try? NamedLayer(argument: $0)
            }
        let document = NamedLayer.document(
            of: ["d/a.csv", "e/a.csv", "f/a.csv"], and: named, layer: nil)
        #expect(
            document == [
                "layers": [
                    ["name": "a", "sources": ["d/a.csv"]], ["name": "a-2", "sources": ["e/a.csv"]],
                    ["name": "a-3", "sources": ["f/a.csv"]],
                    ["name": "n", "sources": ["x.csv", "y.csv"]],
                    ["name": "m", "sources": ["z.csv"]], ["name": "points", "sources": ["-"]],
                ]
            ])
        let one = NamedLayer.document(of: ["a.csv", "b.csv"], and: named, layer: "l")
        #expect(one.asObject?["layers"]?.asArray?.count == 1)
        for wrong in ["x.csv", #"{"layer": "m"}"#, #"{"file": "a", "no": 1}"#, ""] {
            #expect((try? NamedLayer(argument: wrong)) == nil, "\(wrong)")
        }
    }

    @Test func `lines and tables are as wide as their words, and no wider than a screen`() {
        var random = SeededRandom(seed: 2)
        for _ in 0..<200 {
            let columns = 1 + Int(random.next() % 5)
            func word() -> String { String(repeating: "x", count: Int(random.next() % 30)) }
            let (titles, rows) = (
                (0..<columns).map { _ in word() },
                (0..<3).map { _ in (0..<columns).map { _ in word() } }
            )
            let least = Int(random.next() % 40)
            var table = AlignedTable(
                titles.enumerated().map {
                    .init($1, $0 % 2 == 0 ? .right : .left, width: least)
                })
            #expect(table.lines.isEmpty)
            for row in rows { table.add(row) }
            let widths = (0..<columns).map { column in
                ([titles] + rows).reduce(least) { max($0, $1[column].count) }
            }
            let wanted = ([titles] + rows).map { row in
                row.enumerated().map { column, cell in
                    let padding = String(repeating: " ", count: widths[column] - cell.count)
                    return column % 2 == 0
                        ? padding + cell : cell + (column == columns - 1 ? "" : padding)
                }.joined(separator: "  ")
            }
            #expect(table.lines == wanted.map { $0.count > 80 ? $0.prefix(79) + "…" : $0 })
            #expect(table.heading == table.lines[0] && table.line(rows[1]) == table.lines[2])
            let (text, width) = (
                rows.flatMap(\.self).joined(separator: " "), 20 + Int(random.next() % 40)
            )
            #expect(
                text.cut(to: width) == (text.count <= width ? text : text.prefix(width - 1) + "…"))
        }
    }

    @Test func `shares, degrees and seconds are rounded to their places`() {
        var random = SeededRandom(seed: 3)
        for _ in 0..<500 {
            let (part, whole) = (Int(random.next() % 500), Int(random.next() % 500))
            let wanted = String(
                format: "%.1f %%", (1_000 * Double(part) / Double(whole)).rounded() / 10)
            #expect(part.percent(of: whole) == (whole == 0 ? "–" : wanted))
            let degrees = (random.unit() - 0.5) * 360
            #expect(abs((Double(degrees.asDegrees) ?? .nan) - degrees) <= 0.500_001e-5)
            #expect(abs((Double(degrees.asExactDegrees) ?? .nan) - degrees) <= 0.500_001e-7)
            let seconds = random.unit() * 200
            #expect(
                Quantity.seconds(seconds)
                    == String(format: "%.2f s", (seconds * 100).rounded() / 100))
        }
    }
}
