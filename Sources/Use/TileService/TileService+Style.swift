import HTTP

extension TileService {
    /// A style whose source is the archive as it is served here.
    func style(
        of archive: ServedArchive, for request: Request
    ) throws(ServiceError) -> Response {
        let sheet = try archive.style.get { () throws(ServiceError) in try StyleSheet(of: archive) }
        let address = try address(for: request).text
        let document = sheet.document(
            source: "\(address)/\(archive.id)",
            glyphs: options.glyphs ?? Glyphs.template(below: address),
            look: .init(font: options.font))
        return try respond(with: document, to: request, freshness: freshnessOfAddresses())
    }
}
