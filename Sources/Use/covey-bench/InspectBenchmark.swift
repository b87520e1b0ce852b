import Foundation

/// How fast an archive is inspected: `scripts/bench inspect -- ARCHIVE COVEY [TIPPECANOE-DECODE]`.
enum InspectBenchmark: Benchmark {
    static let name = "inspect"
    static let summary = "inspect and verify an archive, beside tippecanoe-decode -S"

    static func run(_ session: inout BenchSession) throws {
        guard session.arguments.count >= 2 else {
            print("inspect: name an archive, the covey program and, if wanted, tippecanoe-decode")
            return
        }
        let archive = session.arguments[0]
        let covey = session.arguments[1]
        let first = try firstTable(covey, archive)
        session.figure("first table", first * 1e3, "ms", wanted: "≤ 300 ms")
        let verify = try time(covey, ["verify", "--quiet", archive])
        session.figure("verify, wall", verify.wall, "s", wanted: "≤ 12 s")
        session.figure("verify, processor", verify.processor, "s")
        session.figure("verify, memory", verify.megabytes, "MB", wanted: "≤ 200 MB")
        let inspect = try time(covey, ["inspect", "--json", archive])
        session.figure("inspect --json, wall", inspect.wall, "s")
        session.figure("inspect --json, processor", inspect.processor, "s")
        guard session.arguments.count > 2 else { return }
        let decode = try time(session.arguments[2], ["-S", archive])
        session.figure("tippecanoe-decode -S, wall", decode.wall, "s")
        session.figure("ratio, wall", decode.wall / inspect.wall, "times", wanted: "≥ 10 times")
        session.figure("ratio, processor", decode.processor / inspect.processor, "times")
    }

    private struct Cost {
        var wall: Double
        var processor: Double
        var megabytes: Double
    }

    private static func start(
        _ program: String, _ words: [String], output: Any
    ) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = words
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// Runs a program to its end; its cost is the increase of the counters for ended children.
    private static func time(_ program: String, _ words: [String]) throws -> Cost {
        let before = children()
        let clock = ContinuousClock.now
        try start(program, words, output: FileHandle.nullDevice).waitUntilExit()
        let wall = clock.duration(to: .now).components
        let after = children()
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        func spent(_ usage: rusage) -> Double { seconds(usage.ru_utime) + seconds(usage.ru_stime) }
        return Cost(
            wall: Double(wall.seconds) + Double(wall.attoseconds) * 1e-18,
            processor: spent(after) - spent(before), megabytes: Double(after.ru_maxrss) / 1_024)
    }

    private static func children() -> rusage {
        var usage = rusage()
        #if canImport(Glibc)
            unsafe getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
        #else
            unsafe getrusage(RUSAGE_CHILDREN, &usage)
        #endif
        return usage
    }

    /// The time until the table of layers is printed.
    private static func firstTable(_ program: String, _ archive: String) throws -> Double {
        let pipe = Pipe()
        let clock = ContinuousClock.now
        let process = try start(program, ["inspect", archive], output: pipe)
        var text = ""
        while !text.contains("\nlayer") {
            let data = pipe.fileHandleForReading.availableData
            if data.isEmpty { break }
            text += String(decoding: data, as: UTF8.self)
        }
        let time = clock.duration(to: .now).components
        process.terminate()
        process.waitUntilExit()
        return Double(time.seconds) + Double(time.attoseconds) * 1e-18
    }
}
