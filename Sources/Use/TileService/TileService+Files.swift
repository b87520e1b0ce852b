import Basics
import CLibrary
import HTTP
import Platform
import TileArchive

/// An archive's own files, range by range, for clients that read PMTiles.
extension TileService {
    /// `ID.pmtiles` and `ID.clusters.pmtiles`, if the archive consists of files that may be served.
    func servedFile(named name: String) -> (archive: ServedArchive, index: Int)? {
        guard name.hasSuffix(Self.fileEnding) else { return nil }
        let catalog = catalog
        let stem = String(name.dropLast(Self.fileEnding.count))
        for (id, index) in [(stem, 0), (String(stem.dropLast(Self.clustersEnding.count)), 1)]
        where index == 0 || stem.hasSuffix(Self.clustersEnding) {
            guard let archive = catalog.archives[id] else { continue }
            let files = archive.archive.files
            guard index < files.count, !Archive.isAddress(files[index]) else { continue }
            return (archive, index)
        }
        return nil
    }

    private static var fileEnding: String { ".pmtiles" }
    private static var clustersEnding: String { ".clusters" }

    /// A file, or the requested part of it.
    func file(
        _ served: (archive: ServedArchive, index: Int), for request: Request
    ) throws(ServiceError) -> Response {
        do {
            // The file that was opened, even if another has its name by now: tiles come from that, too.
            guard let file = try served.archive.archive.openFile(served.index) else {
                throw FileError.system(code: ENOENT)
            }
            let status = try file.status()
            let tag = EntityTag(mark: Self.mark(of: served.archive, status), letter: "f")
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

    /// A mark of a file of an archive in its present state. Copies have the same, on other machines too, so it takes
    /// only what is copied: size, time, and what the archive says of its contents.
    private static func mark(of archive: ServedArchive, _ status: FileStatus) -> UInt64 {
        let text = "\(status.size) \(status.changedSeconds) \(archive.contentsHash.value)"
        return ContentHash(of: Array(text.utf8).span).value
    }
}
