// Where parsing continues after a record that can't be read.

extension GeoJSONParser {
    /// Rejects a record with a fault and continues where the next may start: after its brackets if
    /// they match, otherwise at the start of another record, or after the object.
    mutating func reject(_ fault: JSONFault, from start: Int) {
        isDoubtful = isDoubtful || isGuess
        let (reason, problem) = fault.problem(bytes)
        builder.reject(reason, problem, at: min(fault.offset, bytes.end))
        lastIsTruncated = reason == .truncated
        bytes.move(to: start)
        // Everything in a record with matching brackets is part of it, even a feature.
        if let end = bytes.endOfMatchedObject { return bytes.move(to: end) }
        let end = endOfObject
        if let next = nextStart(before: end ?? bytes.end) {
            resumesAtObject = true
            bytes.move(to: next)
        } else if let end {
            bytes.move(to: end)
        } else {
            lastIsTruncated = true
            bytes.move(to: bytes.end)
        }
    }

    /// The index after the brace that closes the current object, if there is one.
    private var endOfObject: Int? {
        guard bytes.byte == UInt8(ascii: "{"),
            let end = StructureScan(bytes, stopsAtFirst: true).lastEnd,
            bytes[end - 1] == UInt8(ascii: "}")
        else { return nil }
        return end
    }

    /// The start of another record: a feature in a collection, or a line that starts an object.
    private func nextStart(before limit: Int) -> Int? {
        if isInArray, let feature = bytes.nextFeature(before: limit) { return feature }
        let line = bytes.nextLineOfObject
        return line < limit ? line : nil
    }
}

extension ByteCursor {
    /// The next object after another one and a comma that has the type of a feature.
    fileprivate func nextFeature(before limit: Int) -> Int? {
        var bytes = self
        while bytes.offset < limit {
            guard bytes.byte == UInt8(ascii: "}") else {
                bytes.advance()
                continue
            }
            bytes.advance()
            var next = bytes
            guard next.skip(","), case () = next.skipSpace(), next.offset < limit else {
                continue
            }
            if next.isAtFeature { return next.offset }
        }
        return nil
    }
}
