import Foundation

/// `Tests/Interop/http_server.py`, running as long as this value lives.
final class LoopbackServer {
    private let process = Process()
    private let input = Pipe()
    let port: Int

    /// Whether there is what the tests of downloads need; prints what is missing.
    static let isAvailable: Bool = {
        let missing = ["python3", "curl"].filter { !Program.isInstalled($0) }
        if !missing.isEmpty { print("skipped: \(missing.joined(separator: ", ")) not installed") }
        return missing.isEmpty
    }()

    init() throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Interop/http_server.py").standardized
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", script.path]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)/\(path)" }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}

/// Programs that some tests compare with.
enum Program {
    static func isInstalled(_ name: String) -> Bool {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
    }

    /// Whether GDAL can write files to compare with; prints that it can't.
    static let hasGDAL: Bool = {
        let isThere = isInstalled("ogr2ogr")
        if !isThere { print("skipped: ogr2ogr is not installed") }
        return isThere
    }()

    /// Runs a program and tells whether it was content.
    static func run(_ words: [String]) throws -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
