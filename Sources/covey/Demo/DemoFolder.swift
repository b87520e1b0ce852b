import CDemoData
import CLibrary
import Foundation

/// A folder with the sample's recipe and points, for as long as the demo lasts. Whoever ends that in
/// the second of the build leaves it to the system: a signal is heard by one alone, the server.
struct DemoFolder {
    static let recipe = "earthquakes.json"

    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "/covey-demo-\(getpid())"
        try FileManager.default.createDirectory(
            atPath: path + "/data", withIntermediateDirectories: true)
        try Self.bytes(of: DEMO_DATA_RECIPE).write(to: URL(filePath: path("\(Self.recipe)")))
        try Self.bytes(of: DEMO_DATA_POINTS).write(to: URL(filePath: path("data/earthquakes.csv")))
    }

    func path(_ name: String) -> String { path + "/" + name }

    func remove() { try? FileManager.default.removeItem(atPath: path) }

    private static func bytes(of file: demo_data_file) -> Data {
        var count = 0
        guard let bytes = unsafe demo_data_bytes(file, &count) else { return Data() }
        return unsafe Data(bytes: bytes, count: count)
    }
}
