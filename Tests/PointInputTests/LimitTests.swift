import Expressions
import Foundation
import JSON
import PointInput
import Points
import Synchronization
import Testing

/// Inputs that are large, odd or in motion.
struct LimitTests {
    static let start = #"{"type":"Feature","properties":{"a":""#

    @Test func `a record that never ends stops the run at the limit`() throws {
        let text = Self.start + String(repeating: "x", count: 1 << 20)
        var options = InputOptions()
        options.longestRecord = 1 << 18
        options.pieceSize = 1 << 12
        #expect(throws: InputError.recordTooLong(input: "line", limit: 1 << 18)) {
            try Reading(text, name: "line", options: options)
        }
    }

    private static func record(_ names: [String], _ value: String) -> String {
        let members = names.map { "\"\($0)\":\(value)" }.joined(separator: ",")
        return #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"#
            + members + "}}\n"
    }

    private static func table(_ names: [String]) -> String {
        "lon,lat," + names.joined(separator: ",") + "\n1,2"
            + String(repeating: ",1", count: names.count) + "\n"
    }

    private static let names = (0..<100).map { "n\($0)" }

    @Test(arguments: [
        (record(names, "1"), 100), (names.map { record([$0], "1") }.joined(), 100),
        // The columns of the coordinates have names, too.
        (table(names), 102),
    ])
    func `attributes have so many names at most, of those that are kept`(
        text: String, count: Int
    ) throws {
        func namesRead(_ options: InputOptions) throws -> Int {
            try Reading(text, name: "much", options: options).table.attributes.keys.names.count
        }
        var options = InputOptions()
        options.mostNames = count - 1
        #expect(throws: InputError.tooManyNames(input: "much", limit: count - 1)) {
            try namesRead(options)
        }
        options.excluded = ["n7"]
        #expect(try namesRead(options) == count - 1)
        options.excluded = []
        options.mostNames = count
        #expect(try namesRead(options) == count)
        options.mostNames = 1
        options.included = ["n3"]
        #expect(try namesRead(options) == 1)
    }

    /// Each took a walk over the whole record before: minutes in all.
    @Test func `twenty thousand values that are given twice, and as many nulls, take no time`()
        throws
    {
        let names = (0..<20_000).map { "n\($0)" }
        var twice = Self.record(names + names, "1")
        twice.replace("\"n7\":1}", with: "\"n7\":2}")
        let start = ContinuousClock.now
        let read = try Reading(twice)
        #expect(read.table.attributes.keys.names.count == 20_000 && read.table.count == 1)
        var options = InputOptions()
        options.filter = try Expression(parsing: ["!", ["has", "m"]], as: .filter)
        #expect(try Reading(Self.record(names, "null"), options: options).table.count == 1)
        let each = names.prefix(2_000).map { Self.record([$0], "1") }.joined()
        #expect(try Reading(each, options: options).table.count == 2_000)
        #expect(ContinuousClock.now - start < .seconds(20))
    }

    @Test func `of values that are given again the last one counts, and null takes them back`()
        throws
    {
        let text = #"""
            {"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":\#
            {"a":1,"b":1,"a":2,"c":null,"b":null,"a":"x","c":3,"d":1,"d":null,"d":5}}
            """#
        var options = InputOptions()
        let all: JSONValue = [
            "all", ["==", ["get", "a"], "x"], ["has", "b"], ["==", ["get", "b"], nil],
            ["==", ["get", "c"], 3], ["==", ["get", "d"], 5],
        ]
        for filter in [Optional<JSONValue>.none, all] {
            options.filter = try filter.map { try Expression(parsing: $0, as: .filter) }
            let read = try Reading(text, options: options)
            #expect(read.attributes(0) == ["a": .text("x"), "c": .integer(3), "d": .integer(5)])
        }
    }

    #if DEBUG
        /// Reading a quarter of a gigabyte takes a minute without optimization: the release run of
        /// `scripts/test` does it.
        static let readsHugeLines = false
    #else
        static let readsHugeLines = true
    #endif

    @Test(.enabled(if: readsHugeLines), arguments: [start, "x,y,a\n1,2,\""])
    func `a line of two gigabytes is refused`(start: String) throws {
        let file = TemporaryFile(Data(start.utf8))
        defer { file.remove() }
        // What was never written to the file takes no room on the disk.
        try #require(truncate(file.path, 2 << 30) == 0)
        #expect(throws: InputError.recordTooLong(input: "line", limit: 1 << 28)) {
            try PointTable.read([.file(file.path, named: "line")])
        }
    }

    @Test func `a file that grows while it is read is told`() throws {
        let file = TemporaryFile(Data("x,y\n1,2\n".utf8))
        defer { file.remove() }
        let path = file.path
        #expect(throws: InputError.changedWhileRead(input: path)) {
            try PointTable.read([.file(path)]) { progress in
                guard progress.bytes == 8, let end = FileHandle(forWritingAtPath: path) else {
                    return
                }
                _ = try? end.seekToEnd()
                end.write(Data("3,4\n".utf8))
            }
        }
    }

    @Test(arguments: [1, 3])
    func `reading gives up when it is told to`(threads: Int) throws {
        let pieces = Mutex(0)
        var options = InputOptions()
        options.threads = threads
        options.pieceSize = 100
        options.isCancelled = {
            pieces.withLock { count in
                count += 1
                return count > 3
            }
        }
        let text = (0..<1_000).map { "\($0 % 180),1\n" }.joined()
        #expect(throws: InputError.cancelled(input: "bytes")) {
            try PointTable.read(bytes: Array("lon,lat\n\(text)".utf8), options: options)
        }
        #expect(pieces.withLock { $0 } < 100)
    }

    @Test func `progress ends at the file's size`() throws {
        let text = "x,y\n" + String(repeating: "1,2\n", count: 100_000)
        let file = TemporaryFile(Data(text.utf8))
        defer { file.remove() }
        let seen = Progress()
        let (table, _) = try PointTable.read([.file(file.path, named: "t")]) { seen.add($0) }
        #expect(table.count == 100_000)
        #expect(seen.bytes == seen.bytes.sorted() && seen.bytes.last == text.utf8.count)
        #expect(seen.names == ["t"] && seen.totals == [text.utf8.count])
    }

    @Test func `a pipe whose columns turn out to be text is read again from its copy`() throws {
        let path = NSTemporaryDirectory() + "covey-pipe-\(UUID().uuidString)"
        try #require(mkfifo(path, 0o600) == 0)
        defer { unlink(path) }
        let text = "x,y,n\n" + String(repeating: "1,2,7\n", count: 50_000) + "1,2,seven\n"
        let writer = Thread {
            FileHandle(forWritingAtPath: path)?.write(Data(text.utf8))
        }
        writer.start()
        let (table, _) = try PointTable.read([.file(path)])
        #expect(table.count == 50_001)
        #expect(table.attributes.value(of: "n", row: 0) == .text("7"))
        #expect(table.attributes.value(of: "n", row: 50_000) == .text("seven"))
    }

    @Test func `standard input is read to its end`() async {
        // In a process of its own, as there is but one standard input.
        await #expect(processExitsWith: .success) {
            let text = #"{"type":"Point","coordinates":[1,2]}"# + "\n"
            let pipe = Pipe()
            dup2(pipe.fileHandleForReading.fileDescriptor, STDIN_FILENO)
            pipe.fileHandleForWriting.write(Data(String(repeating: text, count: 100).utf8))
            try pipe.fileHandleForWriting.close()
            let (table, report) = try PointTable.read([.standardInput])
            exit(table.count == 100 && report.kept == 100 ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }

    #if os(Linux) && !DEBUG
        @Test func `a million points take no more than the table and 64 MiB`() async {
            await #expect(processExitsWith: .success) {
                let file = TemporaryFile()
                try writePoints(1_000_000, to: file.path)
                try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
                let before = memory("VmRSS:")
                var options = InputOptions()
                options.threads = 2
                let table = try PointTable.read([.file(file.path)], options: options).table
                let more = memory("VmHWM:") - before - table.byteCount
                file.remove()
                print("beyond the table of \(table.byteCount >> 20) MiB: \(more >> 20) MiB")
                let isSmall = table.count == 1_000_000 && table.byteCount <= 100 * table.count
                exit(isSmall && more <= 64 << 20 ? EXIT_SUCCESS : EXIT_FAILURE)
            }
        }
    #endif
}

/// What was told of the progress, from whatever thread.
private final class Progress: @unchecked Sendable {
    private let lock = NSLock()
    private var all: [InputProgress] = []

    func add(_ progress: InputProgress) { lock.withLock { all.append(progress) } }

    var bytes: [Int] { all.map(\.bytes) }
    var names: Set<String> { Set(all.map(\.input)) }
    var totals: Set<Int?> { Set(all.map(\.total)) }
}

private func writePoints(_ count: Int, to path: String) throws {
    guard let file = FileHandle(forWritingAtPath: path) else { return }
    for start in stride(from: 0, to: count, by: 1_000) {
        var text = ""
        for row in start..<start + 1_000 {
            text += #"{"type":"Feature","id":\#(row),"properties":{"name":"Place \#(row)","#
            text += #""value":\#(row % 1_000).25},"geometry":{"type":"Point","coordinates":"#
            text += "[\(row % 180).123456,\(row % 80).654321]}}\n"
        }
        try file.write(contentsOf: Data(text.utf8))
    }
    try file.close()
}

/// A line of what Linux tells of this process, in bytes.
private func memory(_ name: String) -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
    return (line?.split(separator: " ").compactMap { Int($0) }.first ?? 0) << 10
}
