import Foundation
import PointInput
import Points
import TestSupport
import Testing

/// Of which kind the columns of a table are, by all of their cells, however these are shared out among
/// workers.
struct CSVKindTests {
    /// What a cell may be of, and its value as such.
    private struct Cell {
        var text: String
        /// As a number where no comma is decimal, where commas are, and as a truth value.
        var number: AttributeValue?
        var commaNumber: AttributeValue?
        var bool: AttributeValue?
    }

    private static func number(_ text: String, _ value: AttributeValue) -> Cell {
        Cell(text: text, number: value, commaNumber: value)
    }

    private static func decimal(_ text: String, _ value: AttributeValue) -> Cell {
        Cell(text: text, commaNumber: value)
    }

    private static let numbers = [
        number("1", .integer(1)), number("-20", .integer(-20)), number("2.5", .number(2.5)),
        number("0", .integer(0)), number("-0.25", .number(-0.25)), number("1e3", .integer(1_000)),
        number("9007199254740993", .integer(9_007_199_254_740_993)),
        number("18446744073709551615", .unsigned(.max)),
    ]
    private static let decimals = [
        decimal("1,5", .number(1.5)), decimal("-20,25", .number(-20.25)),
        decimal("0,5", .number(0.5)),
        decimal("1234,0625", .number(1234.0625)),
    ]
    private static let bools = [
        ("true", true), ("false", false), ("True", true), ("FALSE", false), ("TRUE", true),
        ("False", false),
    ].map { Cell(text: $0, bool: .bool($1)) }
    private static let texts = [
        "a", "007", "-07", "tRUE", "truth", "1 ", "+1", "18446744073709551616", "1.2.3", "1,2,3",
        ",5",
        "5,", "00,5", "--1", "0x10", "1,5e3", "12e4567", "-1e309",
    ].map { Cell(text: $0) }

    /// The kinds that the cells of a column are drawn from.
    private static let mixes = [
        [numbers], [decimals], [bools], [texts], [numbers, decimals], [numbers, bools],
        [bools, texts], [decimals, bools], [numbers, texts], [numbers, decimals, texts], [],
    ]

    private static func column(
        _ rows: Int, using random: inout SeededRandom
    ) -> [Cell?] {
        let mix = mixes.randomElement(using: &random)!
        // Often only the last rows are of another kind.
        let turn = Int.random(in: 0...rows, using: &random)
        return (0..<rows).map { row in
            let kinds = row < turn ? Array(mix.prefix(1)) : mix
            guard let kind = kinds.randomElement(using: &random), random.next() % 5 > 0 else {
                return nil
            }
            return kind.randomElement(using: &random)!
        }
    }

    /// The values that a column has by the definition.
    private static func values(_ column: [Cell?], hasDecimalCommas: Bool) -> [AttributeValue?] {
        let cells = column.compactMap { $0 }
        for kind in [\Cell.number, \.bool] where cells.allSatisfy({ $0[keyPath: kind] != nil }) {
            return column.map { $0?[keyPath: kind] }
        }
        if hasDecimalCommas, cells.allSatisfy({ $0.commaNumber != nil }) {
            return column.map { $0?.commaNumber }
        }
        return column.map { $0.map { .text($0.text) } }
    }

    @Test(arguments: UInt64(0)..<8)
    func `each column is of the kind that all of its cells have`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed + 730)
        for _ in 0..<12 {
            let rows = Int.random(in: 1...60, using: &random)
            let columns = (0..<6).map { _ in Self.column(rows, using: &random) }
            let comma = Int.random(in: 0..<2 * rows, using: &random)
            var text = "lon;lat;" + (0..<6).map { "c\($0)" }.joined(separator: ";") + "\n"
            for row in 0..<rows {
                // Somewhere in the table a coordinate has a comma, or nowhere.
                text += row == comma ? "1,5;2" : "1.5;2"
                for column in columns { text += ";" + (column[row]?.text ?? "") }
                text += "\n"
            }
            var options = InputOptions()
            options.threads = 1 + Int(random.next() % 3)
            options.pieceSize = [32, 100, 1 << 18].randomElement(using: &random)!
            let reading = try Reading(text, name: "a.csv", options: options)
            try #require(reading.table.count == rows)
            for (number, column) in columns.enumerated() {
                let wanted = Self.values(column, hasDecimalCommas: comma < rows)
                let found = (0..<rows).map {
                    reading.table.attributes.value(of: "c\(number)", row: $0)
                }
                #expect(found == wanted, "\(column.map { $0?.text ?? "" })")
            }
        }
    }
}
