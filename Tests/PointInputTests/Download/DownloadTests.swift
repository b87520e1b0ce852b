import Foundation
import Platform
import PointInput
import Points
import Synchronization
import TestSupport
import Testing

@Suite(
    .enabled(if: runsTests(needing: WebServer.isAvailable), "python3 and curl are needed"))
final class DownloadTests {
    let server: WebServer
    let folder: URL

    init() throws {
        server = try WebServer("http_server.py")
        folder = URL.temporaryDirectory.appending(path: "covey-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Downloads, hands over what was received, and checks that nothing is left of it.
    func fetch(
        _ path: String, _ change: (inout WebTransfer.Limits) -> Void = { _ in },
        progress: (InputProgress) -> Void = { _ in }
    ) throws -> Data {
        defer {
            let left = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(left == [])
        }
        var limits = WebTransfer.Limits()
        limits.silenceSeconds = 10
        change(&limits)
        let url = path.contains(":") ? path : server.url(path)
        let download = try Download(
            of: url, limits: limits, temporaryDirectory: folder.path, progress: progress)
        #expect(download.source.name == url)
        return try Data(contentsOf: URL(filePath: try #require(download.source.path)))
    }

    static let body: [UInt8] =
        Array("x,y,name\n".utf8)
        + (0..<20_000).flatMap { Array("\($0 % 180),\($0 % 90),p\($0)\n".utf8) }

    @Test func `a file arrives whole, with progress, and is removed afterwards`() throws {
        var seen: [InputProgress] = []
        #expect(Array(try fetch("file", progress: { seen.append($0) })) == Self.body)
        #expect(seen.map(\.bytes) == seen.map(\.bytes).sorted())
        #expect(seen.last?.bytes == Self.body.count && seen.last?.total == Self.body.count)
    }

    @Test func `a URL is a source like any other, and nothing is left of it`() throws {
        var options = InputOptions()
        options.temporaryDirectory = folder.path
        let url = server.url("redirect/2")
        let (table, report) = try PointTable.read([.file(url)], options: options)
        #expect(table.count == 20_000 && report.kept == 20_000)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        let error = #expect(throws: InputError.self) {
            try PointTable.read([.file(server.url("missing"))], options: options)
        }
        #expect(error?.description.contains("404") == true)
    }

    @Test(arguments: ["file", "missing", "silent"])
    func `messages and progress show no password`(path: String) throws {
        var options = InputOptions()
        options.temporaryDirectory = folder.path
        let shown = Mutex<[String]>([])
        options.isCancelled = { shown.withLock { !$0.isEmpty } || path == "silent" }
        let url = server.url(path).replacing("://", with: "://user:secret@")
        let error = #expect(throws: InputError.self) {
            try PointTable.read([.file(url)], options: options) { progress in
                shown.withLock { $0.append(progress.input) }
            }
        }
        let words = shown.withLock { $0 } + [String(describing: error)]
        #expect(words.allSatisfy { $0.contains("user:…@") && !$0.contains("secret") }, "\(words)")
    }

    @Test func `redirects are followed up to a limit and never out of the web`() throws {
        #expect(Array(try fetch("redirect/3")) == Self.body)
        try expect("redirect/6", says: "more than 5 redirects") { $0.redirects = 5 }
        try expect("elsewhere", says: "rotocol")
        try expect("nowhere", says: "answered 302")
    }

    @Test func `what a server refuses is told with its answer`() throws {
        try expect("missing", says: "the server answered 404 Not Found")
        try expect("http://127.0.0.1:1/x", says: "onnect")
        try expect("http://user:secret@127.0.0.1:1/x", says: "http://user:…@127.0.0.1:1/x: ")
    }

    @Test func `passwords in URLs are not shown`() throws {
        for (name, shown) in [
            ("http://a:b@c@d/e", "http://a:…@d/e"), ("http://a@b/c:d@e", "http://a@b/c:d@e"),
            ("http://a:80/b@c", "http://a:80/b@c"), ("a:b@c", "a:b@c"), ("http://a", "http://a"),
        ] {
            #expect(WebTransfer.shown(name) == shown)
        }
        let partly = "http://user:secret@127.0.0.1:1/x.parquet"
        let error = #expect(throws: InputError.self) { try PointTable.read([.file(partly)]) }
        #expect(error?.description.contains("secret") == false)
    }

    @Test func `an interrupted transfer is no file`() throws {
        try expect("cut", says: "byte \(Self.body.count / 2): ")
        try expect("stall", says: "nothing came for 1 seconds") { $0.silenceSeconds = 1 }
        try expect("silent", says: "nothing came for 1 seconds") { $0.silenceSeconds = 1 }
    }

    @Test(arguments: ["silent", "stall"])
    func `a server that says nothing can be left`(path: String) throws {
        var questions = 0
        let url = server.url(path)
        let error = #expect(throws: InputError.self) {
            _ = try Download(
                of: url, temporaryDirectory: folder.path,
                isCancelled: {
                    questions += 1
                    return questions > 4
                }
            ).source
        }
        #expect(error == .cancelled(input: url))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test func `a file past the ceiling is given up, announced or not`() throws {
        try expect("file", says: "larger than the 1000 bytes") { $0.bytes = 1_000 }
        try expect("endless", says: "larger than the 1000000 bytes") { $0.bytes = 1_000_000 }
        #expect(try fetch("unsized/1000") { $0.bytes = 1_000 }.count == 1_000)
        try expect("unsized/1001", says: "larger than the 1000 bytes") { $0.bytes = 1_000 }
    }

    static let strangers = [
        "ftp://a/b", "file:///etc/hostname", "http://a b", "-o:/tmp/x", "http://a/\n",
    ]

    @Test(arguments: strangers)
    func `what is no URL of the web never reaches curl`(url: String) throws {
        try expect(url, says: "it is not a URL of http or https")
    }

    @Test func `letters that mean something to a shell or to curl mean nothing`() throws {
        try expect("missing/[1-3]{a,b}$(touch%20x);'\"`", says: "404")
    }

    func expect(
        _ path: String, says text: String, _ change: (inout WebTransfer.Limits) -> Void = { _ in }
    ) throws {
        let error = #expect(throws: InputError.self) { try fetch(path, change) }
        #expect(error?.description.contains(text) == true, "\(String(describing: error))")
    }
}
