import Foundation
import PointInput
import Points
import TestSupport
import Testing

/// Records in are records kept and records counted out, whatever comes.
struct AccountTests {
    @Test(arguments: ["json", "csv"], [1, 3])
    func `no record is lost among damaged ones`(format: String, threads: Int) throws {
        var random = SeededRandom(seed: 77)
        for _ in 0..<40 {
            let good = (0..<50).map { format == "csv" ? Self.row($0) : Self.feature($0) }
            var lines = good
            var damaged = Set<Int>()
            for _ in 0..<8 {
                let line = Int(random.next() % 50)
                lines[line] = Self.damage(good[line], &random)
                damaged.insert(line)
            }
            let text = (format == "csv" ? "x,y,n\n" : "") + lines.joined(separator: "\n") + "\n"
            var options = InputOptions()
            options.tolerance = .all
            options.threads = threads
            options.pieceSize = 500
            let (table, report) = try PointTable.read(
                bytes: Array(text.utf8), named: "a.\(format)", options: options)
            #expect(report.records == report.kept + report.rejectedCount)
            #expect(report.kept == report.points && report.points == table.count)
            #expect(report.records == 50, "\(report.rejected)")
            #expect(table.count >= 50 - damaged.count)
            let numbers = (0..<table.count).compactMap { row -> Double? in
                // A column with a damaged cell is of texts.
                switch table.attributes.value(of: "n", row: row) {
                case .text(let text)?: Double(text)
                case let value: value?.asNumber
                }
            }
            for line in 0..<50 where !damaged.contains(line) {
                #expect(numbers.contains(Double(line)), "line \(line) is missing")
            }
        }
    }

    static func feature(_ number: Int) -> String {
        #"{"type":"Feature","properties":{"n":\#(number)},"geometry":"#
            + #"{"type":"Point","coordinates":[\#(number),\#(number)]}}"#
    }

    static func row(_ number: Int) -> String { "\(number),\(number),\(number)" }

    /// The record with a letter changed into another that is no quote and no bracket.
    static func damage(_ record: String, _ random: inout SeededRandom) -> String {
        var bytes = Array(record.utf8)
        let letters = Array(":;.-x9 e".utf8)
        let places = bytes.indices.filter { !Array("{}[]\",".utf8).contains(bytes[$0]) }
        let place = places[Int(random.next() % UInt64(places.count))]
        bytes[place] = letters[Int(random.next() % UInt64(letters.count))]
        return String(decoding: bytes, as: UTF8.self)
    }
}
