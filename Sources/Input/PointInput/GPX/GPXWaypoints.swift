import Points

/// The waypoints of a document on their way through a builder, one after another.
struct GPXWaypoints {
    var builder: PointBuilder
    private var document: GPXDocument
    private let kinds: GPXKinds
    private var isInWaypoint = false
    private var coordinates: (x: String?, y: String?) = (nil, nil)

    init(_ document: GPXDocument, _ kinds: GPXKinds, builder: PointBuilder) {
        self.document = document
        self.kinds = kinds
        self.builder = builder
        // GPX 1.1: latitude and longitude are of WGS84, always.
        self.builder.use(declared: .lonLat)
    }

    /// Reads one waypoint, route or track, or a part of one; false at the document's end.
    mutating func readNext() throws(XMLFault) -> Bool {
        switch try document.next() {
        case .waypoint(let latitude, let longitude):
            // The builder keeps one number as a record's location; here it is the line.
            builder.begin(at: document.line)
            coordinates = (longitude, latitude)
            isInWaypoint = true
        case .value(let name, let text, let isExtension):
            add(name, text, isExtension: isExtension)
        case .endOfWaypoint:
            isInWaypoint = false
            end()
        case .line(let kind):
            builder.note("left out its \(kind)s; clusters are made of waypoints")
            builder.begin(at: document.line)
            builder.reject(.notAPoint, "is a \(kind); clusters are made of points")
        case .end: return false
        }
        return true
    }

    private mutating func add(_ name: String, _ text: [UInt8], isExtension: Bool) {
        let attribute = builder.attribute(named: name)
        guard kinds.isNumber(name, isExtension: isExtension), !builder.isConverted(attribute),
            let number = GPXKinds.number(text)
        else { return builder.addText(attribute, text.span) }
        switch number {
        case .integer(let integer): builder.add(attribute, integer: integer)
        case .unsigned(let unsigned): builder.add(attribute, unsigned: unsigned)
        default: builder.add(attribute, number: number.asNumber ?? .nan)
        }
    }

    private mutating func end() {
        guard let x = coordinates.x, let y = coordinates.y else {
            return builder.reject(.badCoordinates, "has no lat or no lon")
        }
        guard let longitude = NumberText.looseDouble(x), let latitude = NumberText.looseDouble(y)
        else {
            return builder.reject(
                .badCoordinates,
                "has the coordinates \(Snippet.of(x)), \(Snippet.of(y)), which are not both numbers"
            )
        }
        builder.end(x: longitude, y: latitude)
    }

    /// Ends at a fault of the document: a cut one loses its last waypoint, any other stops the run.
    mutating func end(_ fault: XMLFault, _ input: String) throws(InputError) {
        switch fault {
        case .input(let error): throw error
        case .truncated:
            if !isInWaypoint { builder.begin(at: document.line) }
            builder.reject(.truncated, "is cut off by the end of the file: \(fault)")
        default:
            throw .malformed(
                input: input, location: "line \(document.line)", problem: fault.description)
        }
    }

    /// Hands over what has gathered, located by its lines.
    mutating func collect(into collector: PointCollector) throws(InputError) {
        var piece = builder.takePiece()
        piece.locateByLine()
        try collector.append(&piece)
        builder.reuse(piece.batch)
    }
}

extension ParsedPiece {
    /// Takes the locations that the builder kept as lines.
    fileprivate mutating func locateByLine() {
        func locate(_ location: inout RecordLocation) {
            location.line = location.offset
            location.offset = nil
        }
        for index in report.samples.indices { locate(&report.samples[index].location) }
        if failure != nil { locate(&failure!.location) }
    }
}
