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
        let verify = try ChildProgram([covey, "verify", "--quiet", archive]).run()
        session.figure("verify, wall", verify.wall, "s", wanted: "≤ 12 s")
        session.figure("verify, processor", verify.processor, "s")
        session.figure("verify, memory", verify.megabytes, "MB", wanted: "≤ 200 MB")
        let inspect = try ChildProgram([covey, "inspect", "--json", archive]).run()
        session.figure("inspect --json, wall", inspect.wall, "s")
        session.figure("inspect --json, processor", inspect.processor, "s")
        guard session.arguments.count > 2 else { return }
        let decode = try ChildProgram([session.arguments[2], "-S", archive]).run()
        session.figure("tippecanoe-decode -S, wall", decode.wall, "s")
        session.figure("ratio, wall", decode.wall / inspect.wall, "times", wanted: "≥ 10 times")
        session.figure("ratio, processor", decode.processor / inspect.processor, "times")
    }

    /// The time until the table of layers is printed.
    private static func firstTable(_ program: String, _ archive: String) throws -> Double {
        let pipe = Pipe()
        let start = ContinuousClock.now
        let process = try ChildProgram([program, "inspect", archive]).start(output: pipe)
        var text = ""
        while !text.contains("\nlayer") {
            let data = pipe.fileHandleForReading.availableData
            if data.isEmpty { break }
            text += String(decoding: data, as: UTF8.self)
        }
        let time = ContinuousClock.now - start
        process.terminate()
        process.waitUntilExit()
        return time / .seconds(1)
    }
}
