import HTTP

extension TileService {
    func style(
        of archive: ServedArchive, for request: Request
    ) throws(ServiceError) -> Response {
        throw .unknownPath
    }
}
