import JSON

// MARK: - The text around the features

extension GeoJSONCutter {
    enum Header {
        /// The features start at this offset.
        case features(Int)
        /// This is no collection.
        case other
        /// The bytes end, or are not valid, before that is known.
        case unknown
    }

    enum Trailer {
        case passed
        /// The bytes end before it does.
        case unknown
        /// The text cannot be part of it.
        case broken
    }

    /// Reads the members of an object up to its features, or up to what makes it another object.
    mutating func header(_ bytes: ByteCursor) throws(InputError) -> Header {
        var bytes = bytes
        crs = nil
        isBareArray = bytes.skip("[")
        if isBareArray { return .features(bytes.offset) }
        guard bytes.skip("{") else { return .other }
        while let name = try? bytes.memberName() {
            // Overpass has its nodes in `elements`.
            if name == "features" || name == "elements", bytes.skip("[") {
                return .features(bytes.offset)
            }
            if name == "type" {
                guard let type = try? bytes.text() else { return .unknown }
                guard type == "FeatureCollection" else { return .other }
            } else if name == "crs" {
                guard let found = try readCRS(&bytes) else { return .unknown }
                crs = found
            } else {
                guard (try? bytes.skipValue()) != nil else { return .unknown }
            }
            guard bytes.skip(",") else {
                return bytes.byte == UInt8(ascii: "}") ? .other : .unknown
            }
        }
        return .unknown
    }

    /// Skips the rest of a collection, or the part before a fault.
    mutating func skipTrailer(
        _ bytes: inout ByteCursor, isLast: Bool
    ) throws(InputError) -> Trailer {
        if isBareArray { return .passed }
        var rest = bytes
        let isWhole = try skipMembers(&rest)
        guard isWhole || isLast || !rest.isAtEnd else { return .unknown }
        bytes = rest
        return isWhole ? .passed : .broken
    }

    /// Skips the members after the features and the brace that closes them; false if they are not
    /// valid.
    private func skipMembers(_ rest: inout ByteCursor) throws(InputError) -> Bool {
        while rest.skip(",") {
            guard let name = try? rest.memberName() else { return false }
            guard name == "crs" else {
                guard (try? rest.skipValue()) != nil else { return false }
                continue
            }
            guard let found = try readCRS(&rest) else { return false }
            // The features were read before this was known; that is correct if it is no change.
            guard found == crs ?? crsBehind ?? usualCRS ?? .lonLat else {
                throw .ambiguous(
                    input: input,
                    problem: "has its member crs after the features",
                    advice:
                        "move it before the features, or use --crs \(found.definition)"
                )
            }
        }
        return rest.skip("}")
    }

    /// The coordinate system that a collection declares after its features; the bytes start at their closing bracket.
    func crs(inTrailer bytes: ByteCursor) -> CoordinateSystem? {
        var rest = bytes
        guard rest.skip("]") else { return nil }
        while rest.skip(","), let name = try? rest.memberName() {
            if name == "crs" { return try? readCRS(&rest) }
            guard (try? rest.skipValue()) != nil else { return nil }
        }
        return nil
    }

    /// Reads the old `crs` member (GeoJSON 2008, section 3): its name, or null.
    private func readCRS(_ bytes: inout ByteCursor) throws(InputError) -> CoordinateSystem? {
        guard let range = try? bytes.value() else { return nil }
        let member = (try? JSONValue(parsing: bytes.span(range))) ?? .null
        if member == .null { return usualCRS ?? .lonLat }
        // The name, or GeoJSON 2008's older form with a number as its code.
        let properties = member.asObject?["properties"]?.asObject
        let name = properties?["name"]?.asString ?? properties?["code"]?.text() ?? ""
        guard let system = CoordinateSystem(declared: name) else {
            throw .malformed(
                input: input, location: "the member crs",
                problem: "is not a known coordinate system; it is "
                    + Snippet.of(bytes.compact(range).span, limit: 100))
        }
        if usualCRS == nil { try system.check(in: input) }
        return system
    }
}
