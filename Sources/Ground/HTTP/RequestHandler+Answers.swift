extension RequestHandler {
    /// The answer to a request that has been read; nil if it comes later.
    func response(to request: ReceivedRequest) -> Response? {
        let refusal = request.connection.admission.refusal
        if let refusal, !limits.unlimitedPaths.contains(String(request.path)) {
            return refusing(.serviceUnavailable, refusal)
        }
        if request.path.count > limits.bytesPerPath {
            return refusing(.uriTooLong, "a path has at most \(limits.bytesPerPath) bytes")
        }
        guard request.headLength <= limits.bytesPerHead else {
            return refusing(
                .headerFieldsTooLarge,
                "request line and headers have at most \(limits.bytesPerHead) bytes together")
        }
        return answer(to: request)
    }

    /// The answer as it is sent.
    func checked(_ response: Response, on connection: Connection) -> Response {
        if let bytes = response.body?.span.count, bytes > Limits.bytesOfLargeAnswer,
            Payload.bytesHeld > limits.bytesOfAnswers
        {
            return refusing(.serviceUnavailable, "too many large answers are being sent")
        }
        var response = response
        if connection.admission != .admitted || isClosing.load(ordering: .relaxed) {
            response.closesConnection = true
        }
        return response
    }

    /// A refusal, which is counted: the service does not learn of it.
    func refusing(_ status: Status, _ reason: String) -> Response {
        connections.count.note(refusal: status)
        return .refusing(status, reason)
    }

    /// The service's answer, unless it has been stopped.
    private func answer(to received: ReceivedRequest) -> Response? {
        guard answersUnderWay.begin() else { return refusing(.serviceUnavailable, "stopped") }
        defer { answersUnderWay.end() }
        if let response = quickResponse(to: received) { return response }
        var request = Request(received)
        request.mayTakeLong = false
        let response = answer(request)
        guard response.comesLater else { return response }
        request.mayTakeLong = true
        answerLater(request, received)
        return nil
    }

    /// Lets an answer be made in the line of those that take long. Then libmicrohttpd calls for it.
    private func answerLater(_ request: Request, _ received: ReceivedRequest) {
        let (connection, resting) = (received.connection, received.rest())
        let isTaken = longAnswers.add(for: connection.peer) { [self] in
            connection.keep(longAnswer(to: request, on: connection))
            resting.resume()
        }
        guard !isTaken else { return }
        connection.keep(refusing(.serviceUnavailable, "stopped"))
        resting.resume()
    }

    private func longAnswer(to request: Request, on connection: Connection) -> Response {
        guard !connection.isLeft, answersUnderWay.begin() else {
            return refusing(.serviceUnavailable, "stopped")
        }
        defer { answersUnderWay.end() }
        return answer(request)
    }

    /// The answer to a plain GET, if it depends on the path alone.
    private func quickResponse(to request: ReceivedRequest) -> Response? {
        let method = request.method
        guard let quickAnswer, method.count == 3, method[0] == UInt8(ascii: "G"),
            method[1] == UInt8(ascii: "E"), method[2] == UInt8(ascii: "T"),
            !request.hasHeader("If-None-Match")
        else { return nil }
        return quickAnswer(request.path, request.bytes(of: "Accept-Encoding"))
    }
}

extension Response {
    /// A refusal that ends the connection, with its reason as JSON.
    static func refusing(_ status: Status, _ reason: String) -> Response {
        var headers = [
            Header("Content-Type", "application/json"), Header("Cache-Control", "no-store"),
        ]
        if status == .serviceUnavailable { headers.append(Header("Retry-After", "1")) }
        var response = Response(
            status, headers: headers, body: Payload(#"{"error":"\#(reason)"}"#))
        response.closesConnection = true
        return response
    }

    /// The answer to a client that is refused before it has sent a request.
    static func refusalBeforeRequest(_ reason: String) -> String {
        let body = #"{"error":"\#(reason)"}"#
        return [
            "HTTP/1.1 503 Service Unavailable", "Connection: close",
            "Content-Type: application/json", "Cache-Control: no-store",
            "X-Content-Type-Options: nosniff", "Retry-After: 1",
            "Content-Length: \(body.utf8.count)", "", body,
        ].joined(separator: "\r\n")
    }
}
