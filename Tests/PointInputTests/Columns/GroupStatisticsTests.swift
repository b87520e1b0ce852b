import Foundation
import Geometry
import PointInput
import Points
import Testing

/// Which row groups are read at all: those of others may lie there in ruins.
struct GroupStatisticsTests {
    /// Two groups of three rows each; the pages of the second are broken.
    private static func file(
        _ kind: ParquetBytes.Kind, _ values: [AttributeValue?], said: ParquetBytes.Said = .all,
        saidOfPlace: ParquetBytes.Said = .all
    ) -> Data {
        let file = ParquetBytes(
            columns: [
                .init(
                    name: "lon", kind: .double, values: [1, 2, 3, 11, 12, 13].map { .number($0) },
                    said: [.all, saidOfPlace]),
                .init(
                    name: "lat", kind: .double, values: [1, 2, 3, 11, 12, 13].map { .number($0) },
                    said: [.all, .all]),
                .init(name: "v", kind: kind, values: values, said: [.all, said]),
            ], groups: [3, 3])
        var bytes = file.bytes
        // The pages of the first group are as many bytes.
        let footer = ParquetBytes(
            columns: file.columns.map { column in
                .init(
                    name: column.name, kind: column.kind, values: Array(column.values.prefix(3)),
                    said: [.all])
            }, groups: [3])
        let pages = Self.pagesEnd(footer.bytes)
        for index in pages..<Self.pagesEnd(bytes) { bytes[index] = 0xFF }
        return Data(bytes)
    }

    private static func pagesEnd(_ bytes: [UInt8]) -> Int {
        let size = (0..<4).reduce(0) { $0 | Int(bytes[bytes.count - 8 + $1]) << (8 * $1) }
        return bytes.count - 8 - size
    }

    /// Whether the second group is left alone.
    private static func isSkipped(
        _ file: Data, _ change: (inout InputOptions) throws -> Void
    ) throws -> Bool {
        var options = InputOptions()
        try change(&options)
        guard let reading = try? Reading(file, name: "a.parquet", options: options) else {
            return false
        }
        #expect(reading.report.records == 6)
        let reason: RejectReason = options.box == nil ? .filtered : .outside
        #expect(reading.report.rejected[reason, default: 0] >= 3)
        return true
    }

    private static func filter(_ text: String) throws -> (inout InputOptions) throws -> Void {
        let filter = try PointInputTests.filter(parsing: text)
        return { $0.filter = filter }
    }

    private static let whole: [AttributeValue?] = [1, 2, 3, 10, 11, 12].map { .integer($0) }

    @Test(arguments: [ParquetBytes.Kind.int32, .int64, .float, .double])
    func `a group of numbers is left alone exactly where none can match`(
        kind: ParquetBytes.Kind
    ) throws {
        let file = Self.file(
            kind,
            kind == .float || kind == .double
                ? Self.whole.map { .number($0?.asNumber ?? 0) } : Self.whole)
        for (text, isSkipped) in [
            (#"["<",["get","v"],9]"#, true), (#"["<=",["get","v"],9]"#, true),
            (#"["<=",["get","v"],10]"#, false), (#"["<",["get","v"],11]"#, false),
            (#"[">",["get","v"],13]"#, true), (#"[">=",["get","v"],12]"#, false),
            (#"["==",["get","v"],9]"#, true), (#"["==",["get","v"],13]"#, true),
            (#"["==",["get","v"],11]"#, false), (#"["in",["get","v"],["literal",[1,3]]]"#, true),
            (#"["in",["get","v"],["literal",[1,13]]]"#, false),
            (#"["all",[">",["get","v"],0],["<",["get","v"],5]]"#, true),
            (#"["any",["<",["get","v"],5]]"#, false), (#"["<",["get","w"],5]"#, false),
        ] {
            #expect(try Self.isSkipped(file, Self.filter(text)) == isSkipped, "\(text)")
        }
    }

    @Test func `texts are compared by their bytes`() throws {
        let values = ["a", "b", "c", "m", "n", "é"].map { AttributeValue.text($0) }
        let file = Self.file(.text, values)
        for (text, isSkipped) in [
            (#"["==",["get","v"],"a"]"#, true), (#"["==",["get","v"],"m"]"#, false),
            (#"["==",["get","v"],"l"]"#, true), (#"["==",["get","v"],"z"]"#, false),
            (#"["==",["get","v"],"é"]"#, false), (#"["==",["get","v"],"ê"]"#, true),
            (#"["in",["get","v"],["literal",["a","c"]]]"#, true),
            (#"["in",["get","v"],["literal",["a","z"]]]"#, false),
            (#"["==",["get","v"],5]"#, false), (#"["<",["get","v"],"b"]"#, false),
        ] {
            #expect(try Self.isSkipped(file, Self.filter(text)) == isSkipped, "\(text)")
        }
    }

    @Test func `a group is read where too little is said of it`() throws {
        let few = try Self.filter(#"["<",["get","v"],5]"#)
        for (said, isSkipped) in [
            (ParquetBytes.Said.all, true), (.nothing, false), (.noBounds, false),
            (.oldBounds, false), (.noNulls, true),
        ] {
            #expect(try Self.isSkipped(Self.file(.int64, Self.whole, said: said), few) == isSkipped)
        }
        // Rows without a place are counted as such.
        for said in [ParquetBytes.Said.nothing, .noNulls] {
            let file = Self.file(.int64, Self.whole, saidOfPlace: said)
            #expect(try !Self.isSkipped(file, few))
        }
        #expect(try Self.isSkipped(Self.file(.int64, Self.whole, saidOfPlace: .noBounds), few))
    }

    @Test func `a filter sees what options make of values, so these are read`() throws {
        let text = #"["<",["get","v"],5]"#
        let file = Self.file(.int64, Self.whole)
        #expect(
            try !Self.isSkipped(file) {
                $0.kinds = ["v": .number]; $0.filter = try PointInputTests.filter(parsing: text)
            })
        #expect(
            try Self.isSkipped(file) {
                $0.kinds = ["w": .number]; $0.filter = try PointInputTests.filter(parsing: text)
            })
        // Of changes each record counts.
        #expect(
            try !Self.isSkipped(file) {
                $0.removalMark = "gone"; $0.filter = try PointInputTests.filter(parsing: text)
            })
    }

    @Test func `a box of degrees leaves groups alone that lie beside it`() throws {
        let file = Self.file(.int64, Self.whole)
        for (box, isSkipped) in [
            ("0,0,5,5", true), ("0,0,11,11", false), ("0,0,10.9,20", true), ("0,0,20,10.9", true),
            ("13.1,0,20,20", true), ("13,13,20,20", false), ("0,13.1,20,20", true),
            ("170,0,-170,20", true), ("12,0,-170,20", false), ("170,0,11,20", false),
        ] {
            #expect(
                try Self.isSkipped(file) { $0.box = try? LonLatBox(box) } == isSkipped, "\(box)")
        }
        // Metres say nothing of degrees.
        #expect(
            try !Self.isSkipped(file) {
                $0.box = try? LonLatBox("5,5,6,6")
                $0.crs = .webMercator
            })
        for said in [ParquetBytes.Said.noNulls, .nothing, .noBounds] {
            let file = Self.file(.int64, Self.whole, saidOfPlace: said)
            #expect(try !Self.isSkipped(file) { $0.box = try? LonLatBox("0,0,5,5") })
        }
    }
}
