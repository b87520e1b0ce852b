import Points

/// Reads the waypoints of GPX documents; their routes and tracks count as what is no point.
enum GPXReader: PointReader {
    static let format = InputFormat.gpx
    static let fileExtensions = ["gpx"]

    static func recognises(_ start: Span<UInt8>) -> Bool {
        let tag = Array("<gpx".utf8)
        var index = 0
        // A byte-order mark and blanks may stand in front of the first tag.
        while index < start.count,
            start[index] >= 0x80 || [0x20, 0x09, 0x0A, 0x0D].contains(start[index])
        {
            index += 1
        }
        guard index < start.count, start[index] == tag[0] else { return false }
        while index + tag.count <= start.count {
            if tag.indices.allSatisfy({ start[index + $0] == tag[$0] }) { return true }
            index += 1
        }
        return false
    }

    static func read(_ input: OpenInput, into collector: PointCollector) throws(InputError) {
        // The document is read twice: what its extensions hold is known only at its end.
        let input = try input.repeatable(in: collector.options.temporaryDirectory)
        let kinds = GPXKinds(of: try input.again())
        var waypoints = GPXWaypoints(GPXDocument(input), kinds, builder: collector.makeBuilder())
        do {
            while try waypoints.readNext() {
                if waypoints.builder.isFull || waypoints.builder.isStopped {
                    try waypoints.collect(into: collector)
                }
            }
        } catch let fault as XMLFault {
            try waypoints.end(fault, input.name)
        } catch let error as InputError { throw error } catch { preconditionFailure("\(error)") }
        try waypoints.collect(into: collector)
    }
}
