import HTTP

extension TileService {
    /// A style whose source is the archive as it is served here.
    func style(
        of archive: ServedArchive, for request: Request
    ) throws(ServiceError) -> Response {
        let sheet = try archive.style.get { () throws(ServiceError) in try StyleSheet(of: archive) }
        let source = try "\(address(for: request).text)/\(archive.id)"
        return try respond(
            with: sheet.document(source: source), to: request, freshness: freshnessOfAddresses())
    }
}
