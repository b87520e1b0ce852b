import Foundation

/// A script of `Tests/Interop` that serves on the loopback, running until it is ended or goes away.
public final class WebServer {
    private let process = Process()
    private let input = Pipe()
    public let port: Int

    /// Whether there is what tests of the web need.
    public static let isAvailable = ["python3", "curl"].allSatisfy { name in
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
    }

    public init(_ script: String, _ arguments: [String] = []) throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Interop/\(script)").standardized.path
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", path] + arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
    }

    public func url(_ path: String) -> String { "http://127.0.0.1:\(port)/\(path)" }

    public func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    deinit { if process.isRunning { end() } }
}
