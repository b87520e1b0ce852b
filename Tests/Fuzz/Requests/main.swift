// Asks a server for whatever the bytes say: a line a part, first the path, then the query's items,
// then headers. Each question has an answer, whatever is asked.

import Foundation
import HTTP
import TileService

private let archive: String = {
    let path = FileManager.default.temporaryDirectory
        .appending(path: "covey-fuzz-\(getpid())-requests.mbtiles").path
    // A corpus of another target, as any archive does; without one the server serves nothing.
    let sample = "Tests/Fuzz/Archive/corpus/clusters.mbtiles"
    try? FileManager.default.copyItem(atPath: sample, toPath: path)
    return path
}()

private let services: [TileService] = [false, true].map { isBehindProxy in
    var options = ServiceOptions()
    options.tileCacheBytes = 1 << 16
    options.missingTile = isBehindProxy ? .empty : .noContent
    return TileService(serving: [ServedPath(argument: archive)], options: options)
}

private func request(_ lines: [Substring]) -> Request {
    var headers = Request.Headers()
    var query: [Request.QueryItem] = []
    var method = Request.Method.get
    for line in lines.dropFirst() {
        let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.count > 1 ? String(parts[1]) : ""
        switch parts.first ?? "" {
        case "Accept-Encoding": headers.acceptEncoding = value
        case "If-None-Match": headers.ifNoneMatch = value
        case "Host": headers.host = value
        case "Origin": headers.origin = value
        case "X-Forwarded-For": headers.forwardedFor = value
        case "X-Forwarded-Host": headers.forwardedHost = value
        case "X-Forwarded-Prefix": headers.forwardedPrefix = value
        case "X-Forwarded-Proto": headers.forwardedProto = value
        case "method": method = Request.Method(rawValue: value) ?? .other
        case let name: query.append(.init(name: String(name), value: value))
        }
    }
    return Request(method, String(lines.first ?? ""), query: query, headers: headers)
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRequests(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = String(
        decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    let asked = request(text.split(separator: "\n", omittingEmptySubsequences: false))
    for service in services {
        let response = service.answer(asked)
        for header in response.headers {
            let line = header.name + header.value
            precondition(!line.utf8.contains { $0 < 0x20 }, "a header is more than a line")
        }
    }
    return 0
}
