/// A walk over a GPX document (GPX 1.0 and 1.1): its waypoints, their values, and what is no point.
///
/// Names are told without their prefixes, so any namespace that a writer chose will do.
struct GPXDocument {
    enum Event {
        /// A waypoint starts; its coordinates as they are written.
        case waypoint(latitude: String?, longitude: String?)
        /// A value of the waypoint at hand; `isExtension` for what the standard doesn't name.
        case value(name: String, text: [UInt8], isExtension: Bool)
        case endOfWaypoint
        /// A route or a track starts.
        case line(String)
        case end
    }

    private var scanner: XMLScanner
    private var isInWaypoint = false
    /// Whether the last tag was a start tag, so that an end tag now closes a simple element.
    private var isSimple = false
    /// Whether the child of the waypoint that is open, if one is, holds extensions.
    private var isInExtensions = false

    init(_ input: OpenInput) {
        scanner = XMLScanner { (buffer) throws(XMLFault) in
            do throws(InputError) { try input.append(upTo: 1 << 16, to: &buffer) } catch {
                throw XMLFault.input(error)
            }
        }
    }

    /// The line that the walk has come to.
    var line: Int { scanner.line }

    /// Goes to the next event.
    mutating func next() throws(XMLFault) -> Event {
        while true {
            let event: Event?
            switch try scanner.next() {
            case .start: event = try start()
            case .end: event = end()
            case .endOfDocument: event = .end
            }
            if let event { return event }
        }
    }

    private mutating func start() throws(XMLFault) -> Event? {
        isSimple = true
        let name = scanner.localName
        if scanner.depth == 3 { isInExtensions = name == "extensions" }
        switch scanner.depth {
        case 1:
            guard name == "gpx" else { throw .wrongRoot(name, wanted: "gpx") }
        case 2 where name == "wpt":
            isInWaypoint = true
            return .waypoint(latitude: attribute("lat"), longitude: attribute("lon"))
        case 2 where name == "rte": return .line("route")
        case 2 where name == "trk": return .line("track")
        case 3 where isInWaypoint && name == "link":
            // GPX 1.1 linkType: the address is an attribute.
            return attribute("href").map {
                .value(name: "link", text: Array($0.utf8), isExtension: false)
            }
        default: break
        }
        return nil
    }

    private mutating func end() -> Event? {
        defer { isSimple = false }
        guard isInWaypoint else { return nil }
        switch scanner.depth {
        case 1:
            isInWaypoint = false
            return .endOfWaypoint
        case 2 where isSimple: return value()
        case 3... where isSimple && isInExtensions: return value()
        default: return nil
        }
    }

    /// The value of the element that ended.
    private func value() -> Event? {
        let name = scanner.localName
        let isStandard = Self.names.contains(name)
        let isChild = scanner.depth == 2
        // The address of a link is an attribute, which was read at its start.
        if isChild, name == "link" { return nil }
        // An extension may bear a name of the standard's; its prefix tells it apart then.
        return .value(
            name: !isChild && isStandard ? scanner.name : name, text: Array(scanner.text),
            isExtension: !isChild || !isStandard)
    }

    private func attribute(_ name: String) -> String? {
        scanner.attributes.first { $0.name == name }?.value
    }

    /// The children of a waypoint (GPX 1.1 wptType, and `url`, `urlname` of GPX 1.0).
    private static let names: Set<String> = [
        "ele", "time", "magvar", "geoidheight", "name", "cmt", "desc", "src", "link", "sym", "type",
        "fix", "sat", "hdop", "vdop", "pdop", "ageofdgpsdata", "dgpsid", "url", "urlname",
    ]

    /// Those whose values are numbers.
    static let numbers: Set<String> = [
        "ele", "magvar", "geoidheight", "sat", "hdop", "vdop", "pdop", "ageofdgpsdata", "dgpsid",
    ]
}

extension OpenInput {
    /// Appends the next bytes, at most that many, to an array; nothing at the end.
    func append(upTo count: Int, to bytes: inout [UInt8]) throws(InputError) {
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: count))
        let more = try unsafe bytes.withUnsafeMutableBufferPointer { bytes throws(InputError) in
            let room = unsafe UnsafeMutableBufferPointer(rebasing: bytes[start...])
            return try unsafe read(into: UnsafeMutableRawBufferPointer(room))
        }
        bytes.removeLast(count - more)
    }
}
