import Foundation
import Geometry
import Points

/// A folder for the files of a benchmark, and the programs that it runs; removed at the end.
final class WorkFolder {
    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("covey-bench-\(UInt64.random(in: 0...(.max)))")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    /// The path of `covey` beside this program.
    static var ownProgram: String {
        URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("covey").path
    }

    /// The path of tippecanoe, if `scripts/setup test` or the system has installed it.
    static var peerProgram: String? {
        let folders =
            [".build/venv/bin"]
            + (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(
                String.init)
        return folders.map { $0 + "/tippecanoe" }.first(
            where: FileManager.default.isExecutableFile)
    }

    /// The formats of sample files: features by themselves or in a collection, or rows of a table.
    enum Format: String, CaseIterable { case geojsonl, geojson, csv }

    /// A file of skewed points with an id, a category, a value and a name each.
    func points(_ count: Int, as format: Format = .geojsonl) throws -> String {
        let path = path("\(count).\(format.rawValue)")
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        defer { try? file.close() }
        var text = ""
        switch format {
        case .geojsonl: break
        case .geojson: text = "{\"type\":\"FeatureCollection\",\"features\":[\n"
        case .csv: text = "lon,lat,id,category,value,name\n"
        }
        // In portions of a million, so that a hundred million need no more memory.
        for (portion, start) in stride(from: 0, to: count, by: 1_000_000).enumerated() {
            let table = SkewedPoints.make(
                min(1_000_000, count - start), seed: 7 + UInt64(portion))
            for row in 0..<table.count {
                text += Self.record(table, row, number: start + row, format)
                text += format == .geojson && start + row < count - 1 ? ",\n" : "\n"
            }
            try file.write(contentsOf: Data(text.utf8))
            text = ""
        }
        if format == .geojson { try file.write(contentsOf: Data("]}\n".utf8)) }
        // Otherwise the system would write it to disk while reading is measured.
        try file.synchronize()
        return path
    }

    private static let categories = [
        "cafe", "cafe", "cafe", "school", "school", "shop", "bank", "hotel", "park", "clinic",
    ]

    private static func record(
        _ table: PointTable, _ row: Int, number: Int, _ format: Format
    ) -> String {
        let place = table.position(of: row).lonLat
        let value = table.attributes.value(of: "value", row: row)?.asNumber ?? 0
        let category = categories[number % 10]
        let (x, y) = (rounded(place.longitude), rounded(place.latitude))
        guard format != .csv else {
            return "\(x),\(y),\(number),\(category),\(value),Place \(number)"
        }
        return #"{"type":"Feature","id":\#(number),"geometry":{"type":"Point","coordinates":["#
            + #"\#(x),\#(y)]},"properties":{"category":"\#(category)","value":\#(value),"#
            + #""name":"Place \#(number)"}}"#
    }

    private static func rounded(_ degrees: Double) -> Double { (degrees * 1e6).rounded() / 1e6 }
}
