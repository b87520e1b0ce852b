/// The answer to a request.
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
    /// Headers that this answer shares with others; they precede its own.
    public var common: HeaderSet?
    /// The `ETag` header.
    public var tag: EntityTag?
    public var headers: [Header]
    /// The body; only its length is sent for HEAD and with 304.
    public var body: Payload?
    /// Whether the connection is closed afterwards.
    public var closesConnection = false
    /// Whether it is not made yet, because that takes long (`Request.mayTakeLong`).
    public private(set) var comesLater = false

    public init(
        _ status: Status, common: HeaderSet? = nil, tag: EntityTag? = nil, headers: [Header] = [],
        body: Payload? = nil
    ) {
        self.status = status
        self.common = common
        self.tag = tag
        self.headers = headers
        self.body = body
    }

    /// Says that an answer takes long.
    public static let later: Response = {
        var response = Response(.serviceUnavailable)
        response.comesLater = true
        return response
    }()

    /// The first value of a header; names are compared without case (RFC 9110, 5.1).
    public func value(of name: String) -> String? {
        let name = name.lowercased()
        if name == "etag", let tag { return tag.text }
        return ((common?.headers ?? []) + headers).first { $0.name.lowercased() == name }?.value
    }
}

/// A status code (RFC 9110, section 15).
public struct Status: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let ok = Status(rawValue: 200)
    public static let noContent = Status(rawValue: 204)
    public static let partialContent = Status(rawValue: 206)
    public static let notModified = Status(rawValue: 304)
    public static let badRequest = Status(rawValue: 400)
    public static let notFound = Status(rawValue: 404)
    public static let methodNotAllowed = Status(rawValue: 405)
    public static let contentTooLarge = Status(rawValue: 413)
    public static let rangeNotSatisfiable = Status(rawValue: 416)
    public static let uriTooLong = Status(rawValue: 414)
    public static let headerFieldsTooLarge = Status(rawValue: 431)
    public static let internalServerError = Status(rawValue: 500)
    public static let serviceUnavailable = Status(rawValue: 503)
}
