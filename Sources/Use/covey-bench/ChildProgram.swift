import Foundation

/// Another program, found in `PATH` unless its name is a path, and what it takes to run it.
struct ChildProgram {
    let words: [String]
    /// Whether its messages are hidden.
    var isQuiet = true
    /// The folder that it runs in, if it is not the present one.
    var folder: String?

    init(_ words: [String]) { self.words = words }

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    struct Cost {
        var wall: Double
        var processor: Double
        var megabytes: Double
    }

    func start(output: Any = FileHandle.nullDevice) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
        process.standardOutput = output
        if isQuiet { process.standardError = FileHandle.nullDevice }
        try process.run()
        return process
    }

    /// Runs it to its end. Its cost is the increase of the counters for ended children.
    @discardableResult
    func run() throws -> Cost {
        let before = Self.ended
        let start = ContinuousClock.now
        let process = try self.start()
        process.waitUntilExit()
        let wall = (ContinuousClock.now - start) / .seconds(1)
        guard process.terminationStatus == 0 else {
            throw Failure(description: "\(words[0]) ended with \(process.terminationStatus)")
        }
        let after = Self.ended
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        func spent(_ usage: rusage) -> Double { seconds(usage.ru_utime) + seconds(usage.ru_stime) }
        return Cost(
            wall: wall, processor: spent(after) - spent(before),
            megabytes: Double(after.ru_maxrss) / 1_024)
    }

    private static var ended: rusage {
        var usage = rusage()
        // RUSAGE_CHILDREN, which C libraries declare in different ways.
        unsafe getrusage(-1, &usage)
        return usage
    }
}
