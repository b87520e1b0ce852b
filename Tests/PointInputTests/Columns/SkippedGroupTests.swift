import Foundation
import Geometry
import PointInput
import Points
import TestSupport
import Testing

/// That row groups which are not read would have given nothing: each file read as it is, against the same
/// file without a word of its values.
struct SkippedGroupTests {
    private static func file(using random: inout SeededRandom) -> ParquetBytes {
        let groups = (0..<Int.random(in: 1...5, using: &random)).map { _ in
            Int.random(in: 0...6, using: &random)
        }
        func column(
            _ name: String, _ kind: ParquetBytes.Kind, nulls: Bool, _ value: (Int) -> AttributeValue
        ) -> ParquetBytes.Column {
            let values = groups.enumerated().flatMap { group, count in
                (0..<count).map { _ in
                    nulls && random.next() % 6 == 0 ? nil : value(group)
                }
            }
            let said = groups.map { _ in
                random.next() % 3 > 0
                    ? .all : ParquetBytes.Said.allCases.randomElement(using: &random)!
            }
            return .init(name: name, kind: kind, values: values, said: said)
        }
        // Each group has values of its own, and some of others.
        func number(_ group: Int, _ width: Int) -> Int {
            3 * group + Int(random.next() % UInt64(width))
        }
        let hasGaps = random.next() % 4 == 0
        let lon = column("lon", .double, nulls: hasGaps) {
            .number(Double(number($0, 3)) * 10 - 60)
        }
        var lat = column("lat", .double, nulls: false) {
            .number(Double(number($0, 3)) * 5 - 30)
        }
        // A place has both or none.
        for row in lat.values.indices where lon.values[row] == nil { lat.values[row] = nil }
        return ParquetBytes(
            columns: [
                lon, lat,
                column("a", .int32, nulls: true) { .integer(Int64(number($0, 4)) - 5) },
                column("b", .int64, nulls: true) { .integer(Int64(number($0, 4)) << 40) },
                column("c", .float, nulls: true) { .number(Double(number($0, 4)) / 4) },
                column("d", .double, nulls: true) { .number(Double(number($0, 4)) / 4 - 2) },
                column("t", .text, nulls: true) { .text("t\(number($0, 3))") },
            ], groups: groups)
    }

    /// A filter of one comparison or two, in either way of writing.
    private static func filter(using random: inout SeededRandom) -> String {
        func comparison() -> String {
            let name = ["a", "b", "c", "d", "t"].randomElement(using: &random)!
            let number = Int(random.next() % 16)
            let constant =
                switch name {
                case "a": "\(number - 5)"
                case "b": "\(number << 40)"
                case "c": "\(Double(number) / 4)"
                case "d": "\(Double(number) / 4 - 2)"
                default: "\"t\(number)\""
                }
            let operators = name == "t" ? ["=="] : ["==", "<", "<=", ">", ">="]
            let comparison = operators.randomElement(using: &random)!
            if random.next() % 5 == 0 {
                return #"["in",["get","\#(name)"],["literal",[\#(constant),\#(constant)]]]"#
            }
            return #"["\#(comparison)",["get","\#(name)"],\#(constant)]"#
        }
        return random.next() % 2 == 0
            ? comparison() : #"["all",\#(comparison()),\#(comparison())]"#
    }

    private static func options(using random: inout SeededRandom) throws -> InputOptions {
        var options = InputOptions()
        if random.next() % 3 == 0 {
            func side(_ least: Int) -> Int { least + 10 * Int(random.next() % 14) }
            let (xs, ys) = ([side(-60), side(-60)].sorted(), [side(-30), side(-30)].sorted())
            options.box = try? LonLatBox("\(xs[0]),\(ys[0]),\(xs[1]),\(min(ys[1], 90))")
        }
        if options.box == nil || random.next() % 3 == 0 {
            options.filter = try PointInputTests.filter(parsing: Self.filter(using: &random))
        }
        if random.next() % 6 == 0 { options.kinds = ["a": .text, "t": .text] }
        return options
    }

    @Test(arguments: UInt64(0)..<8)
    func `what row groups say of their values changes no row and no number`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed + 700)
        var kept = 0
        for _ in 0..<40 {
            var file = Self.file(using: &random)
            let options = try Self.options(using: &random)
            let told = try Reading(Data(file.bytes), name: "a.parquet", options: options)
            for index in file.columns.indices {
                file.columns[index].said = file.groups.map { _ in .nothing }
            }
            let silent = try Reading(Data(file.bytes), name: "a.parquet", options: options)
            #expect(told.table.readPoints == silent.table.readPoints)
            #expect(told.report.rejected == silent.report.rejected)
            #expect(told.report.records == silent.report.records)
            #expect(told.report.kept == silent.report.kept)
            kept += told.table.count
        }
        #expect(kept > 10)
    }

    @Test func `the rows of such a file are those that were put in`() throws {
        var random = SeededRandom(seed: 710)
        for _ in 0..<20 {
            let file = Self.file(using: &random)
            let points = try Reading(Data(file.bytes), name: "a.parquet").table.readPoints
            let rows = file.columns[0].values.indices.filter { file.columns[0].values[$0] != nil }
            #expect(points.count == rows.count)
            for (point, row) in zip(points, rows) {
                #expect(point.x == file.columns[0].values[row]?.asNumber)
                for column in file.columns.dropFirst(2) {
                    let wanted = column.values[row]
                    let found = point.attributes[column.name]
                    #expect(
                        found == wanted
                            || found?.asNumber == wanted?.asNumber && wanted?.asNumber != nil)
                }
            }
        }
    }
}
