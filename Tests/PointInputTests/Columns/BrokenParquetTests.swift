import Foundation
import PointInput
import Points
import Testing

/// Damaged Parquet files: what is said of them, and where.
struct BrokenParquetTests {
    static let sample = Array(
        (try? Data(contentsOf: URL(filePath: Samples.path("Columns/plain-v1.parquet")))) ?? Data())

    /// The file with other bytes from an offset on, which counts from the end if it is negative.
    private static func changed(_ offset: Int, _ bytes: [UInt8]) -> [UInt8] {
        var file = sample
        let start = offset < 0 ? file.count + offset : offset
        file.replaceSubrange(start..<start + bytes.count, with: bytes)
        return file
    }

    /// The footer's first byte.
    private static var footer: Int {
        let size = (0..<4).reduce(0) { $0 | Int(sample[sample.count - 8 + $1]) << (8 * $1) }
        return sample.count - 8 - size
    }

    /// Where the first page says how many rows it has.
    private static let countOfFirstPage = 14

    static let cases: [(words: String, bytes: [UInt8])] = [
        ("not a Parquet file", Array(sample.prefix(8))),
        ("not a Parquet file", Array(sample.dropLast(1))),
        ("not a Parquet file", Array(sample.dropLast(sample.count / 2))),
        ("footer: the file is encrypted", changed(-4, Array("PARE".utf8))),
        ("more than there are", changed(-8, [0xFF, 0xFF, 0xFF, 0x7F])),
        ("footer", changed(-8, [0, 0, 0, 0])),
        ("footer", changed(-8, [40, 0, 0, 0])),
        ("cannot be read at its byte", changed(footer, [0xFF, 0xFF])),
        ("cannot be read at its byte", changed(footer + 2, [0x0E])),
        ("footer", changed(footer + 5, Array(repeating: 0xFF, count: 12))),
        ("row group 1, in the column lon", changed(4, [0xFF, 0xFF])),
        ("row group 1, in the column lon", changed(4, [0])),
        ("the last page", changed(countOfFirstPage, [0x4E])),
        ("claims", changed(6, [0x15, 0xFE, 0xFF, 0xFF, 0xFF, 0x0F])),
    ]

    @Test(arguments: cases)
    func `what is broken is said, and where`(words: String, bytes: [UInt8]) {
        let answer = complaint(about: Data(bytes), name: "a.parquet")
        #expect(answer?.hasPrefix("a.parquet: ") == true, "\(answer ?? "nothing")")
        #expect(answer?.contains(words) == true, "\(answer ?? "nothing")")
    }

    /// Whatever a byte is changed to: an answer or an error, and no trap.
    @Test(arguments: ["dictionary-v2", "delta-v1", "shared-v2", "snappy-v1", "sizes"])
    func `any byte may be damaged`(name: String) throws {
        let path = Samples.path("Columns/\(name).parquet")
        let whole = Array(try Data(contentsOf: URL(filePath: path)))
        var options = InputOptions()
        options.tolerance = .all
        options.format = .parquet
        options.viewRows = 100
        for index in stride(from: 0, to: whole.count, by: 11) {
            var bytes = whole
            bytes[index] ^= [0x01, 0x80, 0xFF][index % 3]
            let reading = try? PointTable.read(bytes: bytes, options: options)
            if let report = reading?.report {
                #expect(report.records == report.kept + report.rejectedCount)
            }
        }
    }

    @Test func `twenty broken rows are counted and located`() throws {
        // A row in two has a latitude beyond 90: the page's values are doubles in a row.
        var bytes = Self.sample
        let wanted = [-60.0, -56.875].flatMap { number in
            withUnsafeBytes(of: number.bitPattern.littleEndian) { Array($0) }
        }
        let start = try #require(
            bytes.indices.dropLast(16).first { Array(bytes[$0..<$0 + 16]) == wanted })
        let wrong = withUnsafeBytes(of: 95.0.bitPattern.littleEndian) { Array($0) }
        for row in stride(from: 1, to: 40, by: 2) {
            bytes.replaceSubrange(start + 8 * row..<start + 8 * row + 8, with: wrong)
        }
        var options = InputOptions()
        options.tolerance = .all
        options.threads = 2
        options.pieceSize = 64
        let (table, report) = try PointTable.read(bytes: bytes, named: "a", options: options)
        #expect(table.count == 20 && report.rejected == [.latitudeOutOfRange: 20])
        #expect(report.samples.map(\.location.record) == [2, 4, 6])
        #expect(report.samples.first?.description.contains("a: row 2 has the latitude 95") == true)
    }
}
