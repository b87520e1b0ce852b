import HTTP
import JSON

/// A line of the access log.
public struct AccessRecord: Sendable {
    public let client: String
    public let method: String
    public let path: String
    public let status: Int
    public let bytes: Int
    public let seconds: Double
    public let encoding: String

    package init(
        _ request: Request, _ client: IPAddress, _ response: Response, bytes: Int, seconds: Double
    ) {
        self.client = client.description
        method = request.method.rawValue
        let query = request.query.map { $0.value.isEmpty ? $0.name : "\($0.name)=\($0.value)" }
        path = request.path + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
        status = response.status.rawValue
        self.bytes = bytes
        self.seconds = seconds
        encoding = response.value(of: "Content-Encoding") ?? "identity"
    }

    /// The record as one line of JSON, with the time at which it is written.
    public func line(at time: String) -> String {
        let object: JSONValue = [
            "time": .string(time), "client": .string(client), "method": .string(method),
            "path": .string(path), "status": .integer(Int64(status)),
            "bytes": .integer(Int64(bytes)), "encoding": .string(encoding),
            "ms": .number((seconds * 1e6).rounded() / 1e3),
        ]
        return object.text()
    }
}

extension TileService {
    /// The client's address: the last one in `X-Forwarded-For` that is not a trusted proxy's.
    func client(of request: Request) -> IPAddress {
        guard isTrusted(request.peer), let chain = request.headers.forwardedFor else {
            return request.peer
        }
        var client = request.peer
        for text in chain.split(separator: ",").reversed() {
            guard let address = IPAddress(String(text).trimmed) else { return client }
            client = address
            if !isTrusted(address) { break }
        }
        return client
    }

    func isTrusted(_ address: IPAddress) -> Bool {
        options.trustedProxies.contains { $0.contains(address) }
    }

    /// The address under which the client reached this server, for absolute URLs in documents.
    func address(for request: Request) throws(ServiceError) -> PublicAddress {
        if let address = options.publicAddress { return address }
        let headers = request.headers
        var scheme = "http"
        var host = headers.host ?? "localhost"
        var path = ""
        var nameOfHost = "Host"
        if isTrusted(request.peer) {
            // Each proxy of a chain may add what it was asked for; the first saw the client.
            func first(_ list: String?) -> String? {
                list.map { String($0.prefix { $0 != "," }).trimmed }
            }
            scheme = first(headers.forwardedProto)?.lowercased() == "https" ? "https" : "http"
            if let forwarded = first(headers.forwardedHost) {
                (nameOfHost, host) = ("X-Forwarded-Host", forwarded)
            }
            path = first(headers.forwardedPrefix) ?? ""
        }
        guard Authority.isValid(host) else {
            throw .badParameter(
                "the \(nameOfHost) header", expected: "a host and perhaps a port")
        }
        guard let path = PublicAddress.cleanPath(path) else {
            throw .badParameter("the X-Forwarded-Prefix header", expected: "a plain path")
        }
        return PublicAddress(origin: "\(scheme)://\(host)", path: path)
    }
}
