import Foundation

/// The program as a person runs it, in a folder of its own that goes with the test.
final class Terminal: Sendable {
    struct Result {
        var exitCode: Int32
        var output: String
        /// What was said to people.
        var words: String
    }

    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "covey-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func write(_ text: String, to name: String) throws {
        let file = folder.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
    }

    func read(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    func bytes(_ name: String) throws -> Data {
        try Data(contentsOf: folder.appending(path: name))
    }

    /// Runs `covey` with these words.
    func covey(_ words: String..., with more: [String] = []) throws -> Result {
        try run(Self.program, words + more)
    }

    private func run(
        _ program: URL, _ words: [String], environment: [String: String] = [:]
    ) throws -> Result {
        let process = Process()
        process.executableURL = program
        process.arguments = words
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.currentDirectoryURL = folder
        // Several may run at one time.
        let run = UUID().uuidString
        let files = ["stdout", "stderr"].map { folder.appending(path: ".\($0)-\(run)") }
        for file in files { try Data().write(to: file) }
        process.standardOutput = try FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
        try process.run()
        process.waitUntilExit()
        return Result(
            exitCode: process.terminationStatus,
            output: String(decoding: try Data(contentsOf: files[0]), as: UTF8.self),
            words: String(decoding: try Data(contentsOf: files[1]), as: UTF8.self))
    }

    /// The names in the folder, hidden ones too.
    var names: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        }
    }

    /// Starts `covey` with these words.
    func start(
        _ words: String..., with more: [String] = [], input: Pipe, words file: FileHandle
    ) throws -> Process {
        let process = Process()
        process.executableURL = Self.program
        process.arguments = words + more
        process.currentDirectoryURL = folder
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        process.standardError = file
        try process.run()
        return process
    }

    /// Runs a line of the shell, to which `$COVEY` is the program.
    func shell(_ line: String) throws -> Result {
        try run(
            URL(filePath: "/bin/sh"), ["-c", line], environment: ["COVEY": Self.program.path])
    }

    /// The tests' bundle and the program are built into one folder.
    static let program: URL = {
        var folder = Bundle(for: Terminal.self).bundleURL
        if folder.pathExtension == "xctest" { folder.deleteLastPathComponent() }
        return folder.appending(path: "covey")
    }()
}
