import Foundation
import PointInput
import Points

/// One point as tests compare it: where, its id, its attributes.
struct ReadPoint: Equatable, CustomStringConvertible {
    var x: Double
    var y: Double
    var id: UInt64?
    var attributes: [String: AttributeValue]

    /// Degrees, rounded to what double precision keeps through the projection.
    init(_ longitude: Double, _ latitude: Double, id: UInt64? = nil, _ attributes: Attributes) {
        x = (longitude * 1e9).rounded() / 1e9
        y = (latitude * 1e9).rounded() / 1e9
        self.id = id
        self.attributes = attributes
    }

    typealias Attributes = [String: AttributeValue]

    var description: String { "\(x) \(y) \(id.map(String.init) ?? "-") \(attributes)" }
}

extension PointTable {
    /// All rows, in order.
    var readPoints: [ReadPoint] {
        (0..<count).map { row in
            var values: [String: AttributeValue] = [:]
            for name in attributes.keys.names {
                values[name] = attributes.value(of: name, row: row)
            }
            let position = position(of: row).lonLat
            let id = ids?[row] ?? Self.noID
            return ReadPoint(
                position.longitude, position.latitude, id: id == Self.noID ? nil : id, values)
        }
    }
}

/// The files that come with the tests.
enum Samples {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Resources/Samples")

    static func path(_ name: String) -> String { folder.appending(path: name).path }

    static func read(
        _ name: String, _ change: (inout InputOptions) -> Void = { _ in }
    ) throws -> (points: [ReadPoint], report: InputReport) {
        try read(path: path(name), change)
    }

    static func read(
        path: String, _ change: (inout InputOptions) -> Void = { _ in }
    ) throws -> (points: [ReadPoint], report: InputReport) {
        var options = InputOptions()
        change(&options)
        let (table, report) = try PointTable.read([.file(path)], options: options)
        return (table.readPoints, report)
    }
}

/// A file that is there as long as a test runs.
func withFile<Result>(
    _ bytes: [UInt8] = [], named name: String = "input", _ body: (String) throws -> Result
) throws -> Result {
    let folder = URL.temporaryDirectory.appending(path: "covey-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: name)
    try Data(bytes).write(to: file)
    return try body(file.path)
}
