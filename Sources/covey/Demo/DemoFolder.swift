import CDemoData
import CLibrary
import Dispatch
import Foundation
import Synchronization

/// A folder with the sample's recipe and points, for as long as the demo lasts.
final class DemoFolder: Sendable {
    static let recipe = "earthquakes.json"

    let path: String
    private let isBuilding = Mutex(true)

    init() throws {
        path = NSTemporaryDirectory() + "/covey-demo-\(getpid())"
        try FileManager.default.createDirectory(
            atPath: path + "/data", withIntermediateDirectories: true)
        try Self.bytes(of: DEMO_DATA_RECIPE).write(to: URL(filePath: path("\(Self.recipe)")))
        try Self.bytes(of: DEMO_DATA_POINTS).write(to: URL(filePath: path("data/earthquakes.csv")))
        // Until the server hears signals in its own way.
        SignalSources.hear([SIGINT, SIGTERM], on: DispatchQueue(label: "covey.demo")) { [self] _ in
            guard isBuilding.withLock({ $0 }) else { return }
            remove()
            _exit(ExitCode.interrupted.rawValue)
        }
    }

    func path(_ name: String) -> String { path + "/" + name }

    /// Says that the archive is there; from now on a signal is for the server.
    func isComplete() { isBuilding.withLock { $0 = false } }

    func remove() { try? FileManager.default.removeItem(atPath: path) }

    private static func bytes(of file: demo_data_file) -> Data {
        var count = 0
        guard let bytes = unsafe demo_data_bytes(file, &count) else { return Data() }
        return unsafe Data(bytes: bytes, count: count)
    }
}
