import CMicrohttpd

extension RequestFraming {
    /// Whether the parts of a head stay where they were received. From version 1.0 on libmicrohttpd
    /// is strict itself, and splits lines in its own way.
    static let knowsLayout = unsafe String(cString: MHD_get_version()).hasPrefix("0.9.")

    /// Reads the head of a request.
    /// - Parameter targetLength: the length of the target before it was split; 0 if it has
    ///   characters that no target may have.
    init(_ request: ReceivedRequest, targetLength: UInt) {
        let versionLength: UInt = 8
        self.init(
            requestLineEnd: Self.knowsLayout ? request.versionAddress &+ versionLength : nil)
        readRequestLine(request, targetLength)
        request.show(to: &self)
        finish(
            at: request.methodAddress &+ UInt(request.headLength), needsHost: !request.isOld)
    }

    /// Checks that method, target and version follow one another with one space between them.
    private mutating func readRequestLine(_ request: ReceivedRequest, _ targetLength: UInt) {
        guard targetLength > 0 else {
            return note("the target has a character that is not allowed")
        }
        guard Self.isToken(request.method) else {
            return note("the method is empty or has a character that is not allowed")
        }
        guard Self.knowsLayout else { return }
        let methodEnd = request.methodAddress &+ UInt(request.method.count)
        if methodEnd &+ 1 != request.pathAddress
            || request.pathAddress &+ targetLength &+ 1 != request.versionAddress
        {
            note("the request line has more than a method, a target and a version")
        }
    }
}
