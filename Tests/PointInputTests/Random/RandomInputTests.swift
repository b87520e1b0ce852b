import Foundation
import PointInput
import Points
import TestSupport
import Testing

/// Random records in each format, read with random options, against what a plain model makes of them.
struct RandomInputTests {
    @Test(arguments: RandomRecords.Format.allCases, UInt64(0)..<6)
    func `each record is the point, or the reason, that the options say`(
        format: RandomRecords.Format, seed: UInt64
    ) throws {
        let drawn = try RandomRecords(seed: seed, format)
        let reading = try Reading(drawn.bytes(), name: "a.\(format)", options: drawn.options)
        let (table, report) = (reading.table, reading.report)
        var (rejected, first) = ([RejectReason: Int](), [RejectReason: [Int]]())
        var wanted: [(point: ReadPoint, weight: Double)] = []
        for (index, record) in drawn.records.enumerated() {
            guard let reason = drawn.reason(record) else {
                wanted += drawn.points(record)
                continue
            }
            rejected[reason, default: 0] += 1
            if rejected[reason, default: 0] <= 3 { first[reason, default: []].append(index + 1) }
        }
        #expect(table.readPoints == wanted.map(\.point))
        #expect((0..<table.count).map { table.weights?[$0] ?? 1 } == wanted.map(\.weight))
        #expect(report.rejected == rejected && report.records == drawn.records.count)
        #expect(
            report.points == wanted.count && report.rejectedCount == rejected.values.reduce(0, +))
        #expect(report.kept == report.records - report.rejectedCount)
        let left = rejected.filter { ![.filtered, .noLocation, .notAPoint].contains($0.key) }
        #expect(report.invalidCount == left.values.reduce(0, +))
        for (reason, records) in first {
            let samples = report.samples.filter { $0.reason == reason }
            #expect(samples.map(\.location.record) == records, "\(reason)")
            #expect(samples.map(\.location.line) == records.map(drawn.line), "\(reason)")
        }
        #expect(report.samples.count == first.values.reduce(0) { $0 + $1.count })
    }

    @Test(arguments: RandomRecords.Format.allCases)
    func `as many bad records are put up with as was said`(format: RandomRecords.Format) throws {
        var drawn = try RandomRecords(seed: 77, format)
        drawn.options.skipsNonPoints = true
        drawn.options.filter = nil
        drawn.options.weightAttribute = nil
        let bad = drawn.records.count { [.latitude, .longitude].contains($0.place) }
        let bytes = try drawn.bytes()
        for (tolerance, isRead) in [
            (InputOptions.Tolerance.atMost(bad), true), (.atMost(bad - 1), false), (.none, false),
            (.all, true),
        ] {
            drawn.options.tolerance = tolerance
            let answer = Result { try Reading(bytes, options: drawn.options) }
            switch answer {
            case .success(let read): #expect(isRead && read.report.invalidCount == bad)
            case .failure(let error):
                #expect(!isRead)
                let isLimit = "\(error)".hasSuffix("; more than \(bad - 1) records are not valid")
                #expect(isLimit == (tolerance == .atMost(bad - 1)), "\(error)")
            }
        }
    }

    private static let forms = [
        (0, 0, 0), (1_000, 0, 1), (2_000, 0, 1), (3_000, 0, 2), (0, 0x8000_0000, 1),
        (0, 0x4000_0000, 1), (0, 0xC000_0000, 2),
    ]

    /// Binary geometries of every make, against the positions that they were made from.
    @Test func `binary geometries have the positions that were put in`() throws {
        var random = SeededRandom(seed: 3)
        var geometry = BinaryGeometry()
        for round in 0..<600 {
            let isLittle = random.next() % 2 == 0
            func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
                withUnsafeBytes(of: isLittle ? value.littleEndian : value.bigEndian) { Array($0) }
            }
            let kind = Int(random.next() % 7)
            // The code of the kind in the ISO form or the extended one, and how many more numbers.
            let (iso, flags, more) = Self.forms[kind]
            let count = round % 3 == 0 ? nil : Int(random.next() % 4)
            let system = random.next() % 3 == 0 ? UInt32(random.next() % 9_000) : nil
            let empty = random.next() % 5
            var positions: [Double] = []
            func head(_ code: Int, system: UInt32?) -> [UInt8] {
                [isLittle ? 1 : 0]
                    + bytes(UInt32(iso + code | flags | (system == nil ? 0 : 0x2000_0000)))
                    + (system.map(bytes) ?? [])
            }
            func point(_ number: Int, _ system: UInt32?) -> [UInt8] {
                let isEmpty = UInt64(number) == empty
                let xy = isEmpty ? [Double.nan, .nan] : [random.unit(), -random.unit()]
                if !isEmpty { positions += xy }
                return head(1, system: system)
                    + (xy + [Double](repeating: 5, count: more)).flatMap { bytes($0.bitPattern) }
            }
            var all: [UInt8]
            if let count {
                all = head(4, system: system) + bytes(UInt32(count))
                for number in 0..<count { all += point(number, nil) }
            } else {
                all = point(9, system)
            }
            try geometry.read(all.span)
            #expect(geometry.positions == positions)
            #expect(geometry.referenceSystem == system.map { Int32($0) })
            let cut = Array(all.dropLast(1 + Int(random.next() % 9)))
            #expect(throws: BinaryGeometryFault.self) { try geometry.read(cut.span) }
            #expect(throws: BinaryGeometryFault.self) { try geometry.read((all + [0]).span) }
        }
    }
}
