/// What is answered to a request.
public struct Response: Sendable {
    public struct Header: Equatable, Sendable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    public var status: Status
    public var headers: [Header]
    /// The bytes that follow; after HEAD and with 304 only their number is told.
    public var body: Payload?
    /// Whether the connection is closed afterwards.
    public var closesConnection = false

    public init(_ status: Status, headers: [Header] = [], body: Payload? = nil) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The first value of a header; names differ in case only by accident (RFC 9110, 5.1).
    public func value(of name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// A status code (RFC 9110, section 15).
public struct Status: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let ok = Status(rawValue: 200)
    public static let noContent = Status(rawValue: 204)
    public static let notModified = Status(rawValue: 304)
    public static let badRequest = Status(rawValue: 400)
    public static let notFound = Status(rawValue: 404)
    public static let methodNotAllowed = Status(rawValue: 405)
    public static let contentTooLarge = Status(rawValue: 413)
    public static let uriTooLong = Status(rawValue: 414)
    public static let tooManyRequests = Status(rawValue: 429)
    public static let internalServerError = Status(rawValue: 500)
    public static let serviceUnavailable = Status(rawValue: 503)
}
