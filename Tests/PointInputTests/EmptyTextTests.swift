import Foundation
import PointInput
import Points
import TestSupport
import Testing

/// Texts of other encodings that hold next to nothing; some were read without end.
struct EmptyTextTests {
    @Test(
        arguments: [
            [0xFF, 0xFE, 0, 0], [0xFF, 0xFE], [0xFE, 0xFF, 0, 0], [0xFF, 0xFE, 10, 0], [0, 0],
            [0xEF, 0xBB, 0xBF],
        ] as [[UInt8]])
    func `a text without a header is refused, however it is named`(bytes: [UInt8]) throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "covey-empty-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var options = InputOptions()
        options.format = .csv
        options.xColumn = "lon"
        options.yColumn = "lat"
        options.tolerance = .all
        for name in ["a.csv", "a.zip", "a.txt"] {
            let path = folder.appending(path: name).path
            try Data(bytes).write(to: URL(filePath: path))
            #expect(throws: InputError.self) {
                _ = try PointTable.read([.file(path)], options: options)
            }
        }
    }
}
