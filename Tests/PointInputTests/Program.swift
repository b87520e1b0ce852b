import Foundation

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
