import Foundation
import PointInput
import Points

/// How fast files become points, beside Python's readers of the same files.
enum InputBenchmark: Benchmark {
    static let name = "input"
    static let summary = "GeoJSON and CSV into the table; paths after -- or files of its own"

    static func run(_ session: inout BenchSession) throws {
        for path in session.arguments {
            var figures: [Double] = []
            for threads in [1, 2] {
                var options = InputOptions()
                options.threads = threads
                let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
                var count = 0
                let time = try session.seconds(runs: 3) {
                    count = try PointTable.read([.file(path)], options: options).table.count
                }
                figures.append(Double(size) / time / 1e6)
                session.figure("\(path) \(threads) threads \(count)", figures.last!, "MB/s")
            }
        }
    }
}
