import Foundation
import PointInput
import Points

/// How fast files become points, beside Python's readers of the same files.
enum InputBenchmark: Benchmark {
    static let name = "input"
    static let summary = "a million points (-- PATHS: those files) from GeoJSON and CSV"

    static func run(_ session: inout BenchSession) throws {
        let directory = NSTemporaryDirectory() + "covey-bench-\(getpid())"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        var paths = session.arguments
        if paths.isEmpty {
            for format in InputSample.Format.allCases {
                let path = "\(directory)/points.\(format.rawValue)"
                try InputSample.write(1_000_000, as: format, to: path)
                paths.append(path)
            }
        }
        for path in paths { try measure(path, &session) }
    }

    private static func measure(_ path: String, _ session: inout BenchSession) throws {
        let name = (path as NSString).lastPathComponent
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        let megabytes = Double(size) / 1e6
        let isTable = path.hasSuffix("csv")
        var options = InputOptions()
        var table = PointTable()
        PeakMemory.reset()
        // Processor time, so that a busy machine tells the same.
        let start = processorSeconds()
        let (one, two, ratio) = try session.pair(runs: 3) {
            options.threads = 1
            table = PointTable()
            table = try PointTable.read([.file(path)], options: options).table
        } _: {
            options.threads = 2
            table = PointTable()
            table = try PointTable.read([.file(path)], options: options).table
        }
        let processor = (processorSeconds() - start) / 8
        session.figure(
            "\(name), one thread", megabytes / one, "MB/s", wanted: isTable ? "≥ 250" : "≥ 300")
        session.figure("\(name), processor time", megabytes / processor, "MB/s a core")
        session.figure("\(name), two threads beside one", ratio, "times one", wanted: "≥ 1.8")
        session.figure("\(name), two threads", megabytes / two, "MB/s")
        let bytes = Double(table.byteCount) / Double(table.count)
        session.figure("\(name), table", bytes, "bytes a point", wanted: "≤ 100")
        let peak = Double(PeakMemory.bytes - table.byteCount) / 1_048_576
        session.figure("\(name), peak memory beyond the table", peak, "MiB", wanted: "≤ 64")
        measurePython(path, megabytes, name, &session)
    }

    private static func measurePython(
        _ path: String, _ megabytes: Double, _ name: String, _ session: inout BenchSession
    ) {
        let read =
            path.hasSuffix("csv")
            ? "sum(1 for _ in csv.reader(f))"
            : path.hasSuffix("geojson")
                ? "len(json.load(f)['features'])" : "sum(1 for _ in map(json.loads, f))"
        let script =
            "import sys, json, csv, time; f = open(sys.argv[1]); s = time.process_time(); "
            + "\(read); print(time.process_time() - s)"
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", script, path]
        process.standardOutput = output
        guard (try? process.run()) != nil else { return }
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard let time = Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            return
        }
        session.figure("\(name), Python for orientation", megabytes / time, "MB/s")
    }

    /// The processor time that this process has used, of all threads.
    private static func processorSeconds() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
