import Geometry
import HTTP
import JSON

extension TileService {
    /// Server-sent events: the changes of an archive since the client looked.
    ///
    /// An answer ends at once, and clients ask again after a second, as the standard has it (HTML,
    /// 9.2). So listening costs a small request a second, but no open connection.
    func events(
        of archive: ServedArchive, for request: Request
    ) throws(ServiceError) -> Response {
        let asked = try Query(request.query).version("since")
        let since = request.headers.lastEventID ?? asked
        let (news, version) = changes.news(of: archive, since: since)
        var lines = ["retry: 1000", "id: \(version)"]
        switch news {
        case .none where since == nil: lines += ["event: current", "data: {}"]
        // A client that gets no event keeps its version.
        case .none: lines = ["retry: 1000"]
        case .replaced(let tiles):
            let list = tiles.map { JSONValue.array($0.map { .string("\($0)") }) } ?? .null
            lines += ["event: replaced", "data: " + JSONValue.object(["tiles": list]).text()]
        }
        return uncached(lines.joined(separator: "\n") + "\n\n", type: "text/event-stream")
    }

    /// Compares replaced archives with their earlier state, for clients that listen.
    public func followChanges() { changes.follow(catalog.archives) }
}
