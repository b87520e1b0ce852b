import Points

/// The waypoints of a document on their way through a gate, one after another.
struct GPXWaypoints {
    var gate: RecordGate
    private var document: GPXDocument
    private let kinds: GPXKinds
    private var isInWaypoint = false
    private var coordinates: (x: String?, y: String?) = (nil, nil)

    init(_ document: GPXDocument, _ kinds: GPXKinds, gate: RecordGate) {
        self.document = document
        self.kinds = kinds
        self.gate = gate
        // GPX 1.1: latitude and longitude are of WGS84, always.
        self.gate.crs = .lonLat
    }

    /// Reads one waypoint, route or track, or a part of one; false at the document's end.
    mutating func readNext() throws(XMLFault) -> Bool {
        switch try document.next() {
        case .waypoint(let latitude, let longitude):
            // The gate keeps one number as a record's place; here it is the line.
            gate.begin(at: document.line)
            coordinates = (longitude, latitude)
            isInWaypoint = true
        case .value(let name, let text, let isExtension):
            add(name, text, isExtension: isExtension)
        case .endOfWaypoint:
            isInWaypoint = false
            end()
        case .line(let kind):
            gate.note("left out its \(kind)s; clusters are made of waypoints")
            gate.begin(at: document.line)
            gate.reject(.notAPoint, "is a \(kind); clusters are made of points")
        case .end: return false
        }
        return true
    }

    private mutating func add(_ name: String, _ text: [UInt8], isExtension: Bool) {
        let slot = gate.slot(named: name)
        guard kinds.isNumber(name, isExtension: isExtension), !gate.isConverted(slot),
            let number = GPXKinds.number(text)
        else { return gate.addText(slot, text.span) }
        switch number {
        case .integer(let integer): gate.add(slot, integer: integer)
        case .unsigned(let unsigned): gate.add(slot, unsigned: unsigned)
        default: gate.add(slot, number: number.asNumber ?? .nan)
        }
    }

    private mutating func end() {
        guard let x = coordinates.x, let y = coordinates.y else {
            return gate.reject(.badCoordinates, "has no lat or no lon")
        }
        guard let longitude = Double(x), let latitude = Double(y) else {
            return gate.reject(
                .badCoordinates,
                "has the coordinates \(Snippet.of(x)), \(Snippet.of(y)), which are not both numbers"
            )
        }
        gate.end(x: longitude, y: latitude)
    }

    /// Ends at a fault of the document: a cut one loses its last waypoint, any other stops the run.
    mutating func end(_ fault: XMLFault, _ input: String) throws(InputError) {
        switch fault {
        case .input(let error): throw error
        case .truncated:
            if !isInWaypoint { gate.begin(at: document.line) }
            gate.reject(.truncated, "is cut off by the end of the file: \(fault)")
        default:
            throw .malformed(
                input: input, place: "line \(document.line)", problem: fault.description)
        }
    }

    /// Hands over what has gathered, placed by its lines.
    mutating func collect(into collector: PointCollector) throws(InputError) {
        var piece = gate.takePiece()
        piece.placeByLine()
        try collector.append(&piece)
        gate.reuse(piece.batch)
    }
}

extension ParsedPiece {
    /// Takes the places that the gate kept as lines.
    fileprivate mutating func placeByLine() {
        func place(_ location: inout RecordLocation) {
            location.line = location.offset
            location.offset = nil
        }
        for index in report.samples.indices { place(&report.samples[index].location) }
        if failure != nil { place(&failure!.location) }
    }
}
