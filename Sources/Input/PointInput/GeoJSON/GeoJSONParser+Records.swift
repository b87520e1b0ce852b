import Points

// Objects that are not GeoJSON: flat records, as tables are in JSON, and the elements of Overpass.

/// The members of a record that are not only attributes; offsets are those of their names.
private struct RecordMembers {
    /// A coordinate: the rank of its name (less is more certain), and its value.
    struct Coordinate {
        var rank = Int.max
        var name = 0
        var value = 0..<0
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
}

extension GeoJSONParser {
    /// Makes a point of the record at `start`; false if no members have names of coordinates.
    mutating func parseRecord(from start: Int) throws(JSONFault) -> Bool {
        let end = bytes.offset
        var members = RecordMembers()
        try find(&members, from: start)
        bytes.move(to: end)
        guard members.x.rank < .max, members.y.rank < .max else {
            if members.hasRemovalMark {
                try parseColumns(from: start, members)
                bytes.move(to: end)
                builder.reject(.noLocation, "has no coordinates")
                return true
            }
            guard members.isElement, let element = members.element, element != "node" else {
                return false
            }
            builder.endWithoutPoint(
                .notAPoint,
                "is a \(element) without a center, which Overpass adds with `out center`")
            return true
        }
        try parseColumns(from: start, members)
        bytes.move(to: end)
        finishRecord(members.x.value, members.y.value)
        return true
    }

    /// Finds the members of an object that are not only attributes.
    private mutating func find(
        _ members: inout RecordMembers, from start: Int
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
            let (x, y) = rank(of: name)
            // Of members with the same name the last is used.
            if x <= members.x.rank, x < .max {
                members.x = .init(rank: x, name: at, value: value..<behind)
            } else if y <= members.y.rank, y < .max {
                members.y = .init(rank: y, name: at, value: value..<behind)
            } else if name == builder.options.removalMark {
                members.hasRemovalMark = true
            } else if name == "type", bytes[value] == UInt8(ascii: "\"") {
                members.element = String(copying: bytes.span(value + 1..<behind - 1))
            } else if name == "id" {
                members.id = at
            } else if name == "tags", bytes[value] == UInt8(ascii: "{") {
                members.tags = at
            } else if name == "center", bytes[value] == UInt8(ascii: "{") {
                members.center = at
                try find(&members, from: value)
                bytes.move(to: behind)
            }
        } while bytes.skip(",")
    }

    private mutating func rank(of name: String) -> (x: Int, y: Int) {
        if let known = recordRanks[name] { return known }
        let plain = CoordinateNames.plain(name)
        func rank(_ wanted: String?, _ usual: [String]) -> Int {
            if let wanted { return name == wanted ? 0 : .max }
            return usual.firstIndex(of: plain) ?? .max
        }
        let ranks = (
            rank(builder.options.xColumn, CoordinateNames.x),
            rank(builder.options.yColumn, CoordinateNames.y)
        )
        // A hostile input may have new names in each record.
        if recordRanks.count < 4_096 { recordRanks[name] = ranks }
        return ranks
    }

    /// Reads all members but the coordinates as attributes, and each of an element's `tags`.
    private mutating func parseColumns(
        from start: Int, _ members: RecordMembers
    ) throws(JSONFault) {
        let isElement = members.isElement
        var passed = [members.x.name, members.y.name]
        if isElement { passed += [members.id, members.center].compactMap(\.self) }
        let id = builder.id
        builder.forgetAttributes()
        // In a table an id is an ordinary column.
        (builder.id, builder.otherID) = (isElement ? id : PointTable.noID, nil)
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
                let attribute = try parseKey()
                bytes.skipSpace()
                try bytes.expect(":")
                bytes.skipSpace()
                try parseValue(attribute)
            }
        } while bytes.skip(",")
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
