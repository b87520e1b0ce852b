import Basics
import HTTP
import Platform
import TileArchive

/// An archive's own files, range by range, for clients that read PMTiles.
extension TileService {
    /// `ID.pmtiles` and `ID.clusters.pmtiles`, if the archive consists of files that may be served.
    func servedFile(named name: String) -> (archive: ServedArchive, path: String)? {
        guard name.hasSuffix(Self.fileEnding) else { return nil }
        let catalog = catalog
        let stem = String(name.dropLast(Self.fileEnding.count))
        for (id, index) in [(stem, 0), (String(stem.dropLast(Self.clustersEnding.count)), 1)]
        where index == 0 || stem.hasSuffix(Self.clustersEnding) {
            guard let archive = catalog.archives[id] else { continue }
            let files = archive.archive.files
            guard index < files.count, !Archive.isAddress(files[index]) else { continue }
            return (archive, files[index])
        }
        return nil
    }

    private static var fileEnding: String { ".pmtiles" }
    private static var clustersEnding: String { ".clusters" }

    /// A file, or the requested part of it.
    func file(
        _ served: (archive: ServedArchive, path: String), for request: Request
    ) throws(ServiceError) -> Response {
        do {
            let file =
                try served.archive.folder?.open(served.path) ?? File(readingRegular: served.path)
            let status = try file.status()
            let tag = EntityTag(mark: Self.mark(of: status), letter: "f")
            return try answer(file, of: status.size, tag, for: request)
        } catch {
            throw .unreadable("'\(served.archive.id)' cannot be read just now")
        }
    }

    private func answer(
        _ file: borrowing File, of size: Int, _ tag: EntityTag, for request: Request
    ) throws(FileError) -> Response {
        var headers = [
            Response.Header("Content-Type", "application/vnd.pmtiles"),
            .init("Accept-Ranges", "bytes"), .init("Cache-Control", options.cacheControl),
        ]
        if request.headers.ifNoneMatch.map(tag.isNamed) ?? false {
            return Response(
                .notModified, tag: tag, headers: headers, body: try Payload(0..<size, of: file))
        }
        // A part of another state than the client has would corrupt its copy (RFC 9110, 13.1.5).
        let isSame = request.headers.ifRange.map { $0 == tag.text } ?? true
        let range = request.method == .get && isSame ? request.headers.range : nil
        switch ByteRangeRequest(range, of: size) {
        case .whole:
            return Response(
                .ok, tag: tag, headers: headers, body: try Payload(0..<size, of: file))
        case .part(let part):
            headers.append(
                .init(
                    "Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)"))
            return Response(
                .partialContent, tag: tag, headers: headers, body: try Payload(part, of: file))
        case .unsatisfiable:
            headers.append(.init("Content-Range", "bytes */\(size)"))
            return Response(.rangeNotSatisfiable, tag: tag, headers: headers)
        }
    }

    /// A mark of a file in its present state.
    private static func mark(of status: FileStatus) -> UInt64 {
        ContentHash(of: Array("\(status)".utf8).span).value
    }
}
