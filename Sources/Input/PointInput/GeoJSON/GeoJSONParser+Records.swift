import Points

// Objects that are not GeoJSON: flat records, as tables are in JSON, and the elements of Overpass.

/// The members of a record that are not only attributes; offsets are those of their names.
private struct RecordMembers {
    /// A coordinate: the pairs of usual names that its name belongs to, and its value.
    struct Coordinate {
        var pairs: CoordinateNames.Pairs = []
        var name = 0
        var value = 0..<0
        /// The pairs of all members that could be this coordinate.
        var allPairs: CoordinateNames.Pairs = []

        var isThere: Bool { !pairs.isEmpty }

        /// Takes a member; of those with the most certain names the last is used.
        /// - Returns: false if its name is not one of a coordinate, or is less certain.
        mutating func take(
            _ pairs: CoordinateNames.Pairs, name: Int, value: Range<Int>
        ) -> Bool {
            allPairs.formUnion(pairs)
            guard !pairs.isEmpty, !isThere || pairs.isAsCertain(as: self.pairs) else {
                return false
            }
            (self.pairs, self.name, self.value) = (pairs, name, value)
            return true
        }
    }
    var x = Coordinate()
    var y = Coordinate()
    /// The type of an Overpass element.
    var element: String?
    var id: Int?
    var tags: Int?
    /// The center of a way.
    var center: Int?
    /// Whether it has a removal mark, as a record that removes a point needs no coordinates.
    var hasRemovalMark = false

    var isElement: Bool { ["node", "way", "relation"].contains(element) }

    /// The most certain pair that the record has, if the members found are not of it.
    var betterPair: CoordinateNames.Pairs? {
        guard x.pairs.isDisjoint(with: y.pairs) else { return nil }
        let both = x.allPairs.intersection(y.allPairs)
        return both.isEmpty ? nil : both.mostCertain
    }
}

extension GeoJSONParser {
    /// Makes a point of the record at `start`; false if no members have names of coordinates.
    mutating func parseRecord(from start: Int) throws(JSONFault) -> Bool {
        let end = bytes.offset
        var members = RecordMembers()
        try find(&members, from: start)
        // With `lon`, `lat` and `longitude`, the most certain names do not belong together.
        if let pair = members.betterPair {
            members = RecordMembers()
            try find(&members, from: start, of: pair)
        }
        bytes.move(to: end)
        guard members.x.isThere, members.y.isThere else {
            if !members.hasRemovalMark, members.isElement, let element = members.element,
                element != "node"
            {
                builder.endWithoutPoint(.noCenter, "is a \(element) without a center")
                return true
            }
            guard members.hasRemovalMark || isOfRecords else { return false }
            if members.hasRemovalMark { try parseColumns(from: start, members) }
            bytes.move(to: end)
            builder.reject(.noLocation, "has no coordinates")
            return true
        }
        hasRecords = true
        try parseColumns(from: start, members)
        bytes.move(to: end)
        finishRecord(members.x.value, members.y.value)
        return true
    }

    /// Finds the members of an object that are not only attributes.
    /// - Parameter wanted: the pairs of names that coordinates may have.
    private mutating func find(
        _ members: inout RecordMembers, from start: Int, of wanted: CoordinateNames.Pairs = .all
    ) throws(JSONFault) {
        bytes.move(to: start)
        try bytes.expect("{")
        guard !bytes.skip("}") else { return }
        repeat {
            bytes.skipSpace()
            let at = bytes.offset
            let name = try bytes.memberName()
            let value = bytes.offset
            try bytes.skipValue()
            let behind = bytes.offset
            let (x, y) = pairs(of: name)
            if members.x.take(x.intersection(wanted), name: at, value: value..<behind)
                || members.y.take(y.intersection(wanted), name: at, value: value..<behind)
            {
                continue
            }
            if name == builder.options.removalMark {
                members.hasRemovalMark = true
            } else if name == "type", bytes[value] == UInt8(ascii: "\"") {
                members.element = String(copying: bytes.span(value + 1..<behind - 1))
            } else if name == "id" {
                members.id = at
            } else if name == "tags", bytes[value] == UInt8(ascii: "{") {
                members.tags = at
            } else if name == "center", bytes[value] == UInt8(ascii: "{") {
                members.center = at
                try find(&members, from: value, of: wanted)
                bytes.move(to: behind)
            }
        } while bytes.skip(",")
    }

    private mutating func pairs(
        of name: String
    ) -> (x: CoordinateNames.Pairs, y: CoordinateNames.Pairs) {
        if let known = recordNames[name] { return known }
        let plain = CoordinateNames.plain(name)
        func pairs(_ wanted: String?, _ usual: [String]) -> CoordinateNames.Pairs {
            if let wanted { return name == wanted ? .all : [] }
            return CoordinateNames.Pairs(of: plain, among: usual)
        }
        let found = (
            x: pairs(builder.options.xColumn, CoordinateNames.x),
            y: pairs(builder.options.yColumn, CoordinateNames.y)
        )
        // A hostile input may have new names in each record.
        if recordNames.count < 4_096 { recordNames[name] = found }
        return found
    }

    /// Reads all members but the coordinates as attributes, and each of an element's `tags`.
    private mutating func parseColumns(
        from start: Int, _ members: RecordMembers
    ) throws(JSONFault) {
        let isElement = members.isElement
        var passed = [members.x.name, members.y.name]
        if isElement { passed += [members.id, members.center].compactMap(\.self) }
        let number = builder.otherID?.wholeNumber ?? builder.id
        builder.forgetAttributes()
        // In a table an id is an ordinary column.
        (builder.id, builder.otherID) = (PointTable.noID, nil)
        if let element = members.element, isElement { addID(number, of: element) }
        keys.startRecord()
        bytes.move(to: start)
        try bytes.expect("{")
        repeat {
            bytes.skipSpace()
            if passed.contains(bytes.offset) {
                _ = try bytes.memberName()
                try bytes.skipValue()
            } else if isElement, bytes.offset == members.tags {
                _ = try bytes.memberName()
                try parseProperties()
            } else {
                try parseMember()
            }
        } while bytes.skip(",")
    }

    /// Adds what tells an element apart: nodes, ways and relations have numbers of their own, and tags may be
    /// called `type`. So `@id` is `way/7`, and a digit for the type ends the feature's id.
    private mutating func addID(_ number: UInt64, of element: String) {
        guard number != PointTable.noID else { return }
        builder.add(builder.attribute(named: "@id"), .text("\(element)/\(number)"))
        let digit: UInt64 = element == "node" ? 1 : element == "way" ? 2 : 3
        guard builder.options.idAttribute == nil, number < 1 << 60 else { return }
        builder.id = 10 * number + digit
    }

    private mutating func finishRecord(_ x: Range<Int>, _ y: Range<Int>) {
        guard !isNothing(x), !isNothing(y) else {
            return builder.reject(.noLocation, "has no coordinates")
        }
        guard let longitude = coordinate(x, isLongitude: true) else {
            return rejectCoordinate("longitude", x)
        }
        guard let latitude = coordinate(y, isLongitude: false) else {
            return rejectCoordinate("latitude", y)
        }
        builder.end(x: longitude, y: latitude)
    }

    private func isNothing(_ value: Range<Int>) -> Bool {
        bytes[value.lowerBound] == UInt8(ascii: "n")
            || value.count == 2
                && bytes[value.lowerBound] == UInt8(ascii: "\"")
    }

    private func coordinate(_ value: Range<Int>, isLongitude: Bool) -> Double? {
        let text = String(copying: bytes.span(value))
        guard text.hasPrefix("\"") else { return NumberText.looseDouble(text) }
        var cursor = bytes
        cursor.move(to: value.lowerBound)
        return (try? cursor.text()).flatMap {
            CoordinateText.value($0, isLongitude: isLongitude)
        }
    }

    private mutating func rejectCoordinate(_ name: String, _ value: Range<Int>) {
        let text = Snippet.of(bytes.span(value))
        builder.reject(.badCoordinates, "has the \(name) \(text), which is not a number")
    }
}
