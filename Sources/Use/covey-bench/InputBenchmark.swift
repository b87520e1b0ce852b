import Foundation
import Platform
import PointInput
import Points
import Tileset

/// How fast points are read from files, compared with Python and jq on the same files.
enum InputBenchmark: Benchmark {
    static let name = "input"
    static let summary = "a million points (-- PATHS: those files) from GeoJSON and CSV"

    static func run(_ session: inout BenchSession) throws {
        let folder = try WorkFolder()
        var paths = session.arguments
        if paths.isEmpty {
            paths = try WorkFolder.Format.allCases.map { try folder.points(1_000_000, as: $0) }
        }
        for path in paths { try measure(path, &session) }
        let lines = paths.first { $0.hasSuffix("geojsonl") }
        let collection = paths.first { $0.hasSuffix("geojson") }
        if let lines, let collection { try compare(lines, collection, &session) }
    }

    private static func measure(_ path: String, _ session: inout BenchSession) throws {
        let name = (path as NSString).lastPathComponent
        let megabytes = Double(try FileStatus.byteCount(at: path)) / 1e6
        let isTable = path.hasSuffix("csv")
        var table = PointTable()
        var processor = [0.0, 0.0]
        MemoryPeak.reset()
        let (one, two, ratio) = try session.pair(runs: 3) {
            processor[0] += try read(path, threads: 1, into: &table)
        } _: {
            processor[1] += try read(path, threads: 2, into: &table)
        }
        session.figure(
            "\(name), one thread", megabytes / one, "MB/s", wanted: isTable ? "≥ 250" : "≥ 300")
        // Processor time, so that a busy machine gives the same figure.
        session.figure("\(name), processor time", megabytes / processor[0] * 4, "MB/s a core")
        session.figure("\(name), two threads beside one", ratio, "times one", wanted: "≥ 1.8")
        session.figure(
            "\(name), two threads beside one by processor time", 2 * processor[0] / processor[1],
            "times one at most")
        session.figure("\(name), two threads", megabytes / two, "MB/s")
        let bytes = Double(table.byteCount) / Double(table.count)
        session.figure("\(name), table", bytes, "bytes a point", wanted: "≤ 100")
        let peak = Double(PeakMemory.bytes - table.byteCount) / 1_048_576
        session.figure("\(name), peak memory beyond the table", peak, "MiB", wanted: "≤ 64")
        let share = try shareOfMachine(path, &session)
        session.figure("\(name), two threads beside two readers", share, "of their speed")
        measureOthers(path, megabytes, name, &session)
    }

    /// Reads a file again; returns the processor time.
    private static func read(
        _ path: String, threads: Int, into table: inout PointTable
    ) throws -> Double {
        var options = InputOptions()
        options.threads = threads
        table = PointTable()
        let start = BenchSession.processTime
        table = try PointTable.read([.file(path)], options: options).table
        return BenchSession.processTime - start
    }

    /// The speed of one reader with two threads, compared with two readers with one thread each: so
    /// the figure does not depend on how much the machine gives to two threads.
    private static func shareOfMachine(
        _ path: String, _ session: inout BenchSession
    ) throws -> Double {
        var table = PointTable()
        let (_, _, ratio) = try session.pair(runs: 7) {
            DispatchQueue.concurrentPerform(iterations: 2) { _ in
                var table = PointTable()
                _ = try? read(path, threads: 1, into: &table)
            }
        } _: {
            _ = try read(path, threads: 2, into: &table)
        }
        return ratio / 2
    }

    /// A collection's features are lines with commas after them, and should take no more time.
    private static func compare(
        _ lines: String, _ collection: String, _ session: inout BenchSession
    ) throws {
        var table = PointTable()
        var processor = [0.0, 0.0]
        _ = try session.pair(runs: 3) {
            processor[0] += try read(lines, threads: 1, into: &table)
        } _: {
            processor[1] += try read(collection, threads: 1, into: &table)
        }
        session.figure(
            "collection beside lines by processor time", processor[0] / processor[1],
            "times as fast", wanted: "≥ 0.95")
    }

    /// Measures other readers of the same file, if they are installed.
    private static func measureOthers(
        _ path: String, _ megabytes: Double, _ name: String, _ session: inout BenchSession
    ) {
        let isTable = path.hasSuffix("csv")
        let read =
            isTable
            ? "sum(1 for _ in csv.reader(f))"
            : path.hasSuffix("geojson")
                ? "len(json.load(f)['features'])" : "sum(1 for _ in map(json.loads, f))"
        let script = "import sys, json, csv; f = open(sys.argv[1]); \(read)"
        func measure(_ reader: String, _ words: [String]) {
            guard let cost = try? ChildProgram(words).run() else { return }
            session.figure(
                "\(name), \(reader) for orientation", megabytes / cost.processor, "MB/s")
        }
        measure("Python", ["python3", "-c", script, path])
        if !isTable { measure("jq", ["jq", "empty", path]) }
    }
}
