import Points

/// Reads points from FlatGeobuf files in the published layout (version 3), with or without an index.
///
/// Layout: magic (8 bytes), header, packed R-tree, features; the header and each feature are
/// preceded by their length (32 bits, little-endian).
enum FlatGeobufReader: PointReader {
    static let format = InputFormat.flatGeobuf
    static let fileExtensions = ["fgb"]

    static func recognises(_ start: Span<UInt8>) -> Bool {
        guard start.count >= 7 else { return false }
        let magic = Array("fgb".utf8)
        return (0..<3).allSatisfy { start[$0] == magic[$0] && start[4 + $0] == magic[$0] }
    }

    static func read(_ input: OpenInput, into collector: PointCollector) throws(InputError) {
        var window = InputWindow(input)
        let header = try readHeader(&window)
        var features = try FlatGeobufFeatures(
            header, builder: collector.makeBuilder(), of: input.name)
        while try features.readNext(from: &window) {
            if features.builder.isFull || features.builder.isStopped {
                try collector.collect(&features.builder)
            }
        }
        try collector.collect(&features.builder)
    }

    /// Reads the header and skips the index.
    private static func readHeader(
        _ window: inout InputWindow
    ) throws(InputError) -> FlatGeobufHeader {
        let name = window.input.name
        func malformed(_ location: String, _ fault: FlatGeobufFault) -> InputError {
            .malformed(input: name, location: location, problem: fault.description)
        }
        let prefix = FlatGeobufHeader.prefixByteCount
        guard try window.fill(prefix) else { throw malformed("header", .noMagic) }
        let count: Int
        do { count = try FlatGeobufHeader.byteCount(afterPrefix: window.bytes(prefix)) } catch {
            throw malformed("header", error)
        }
        guard try window.skip(prefix), try window.fill(count) else {
            throw malformed("header", .truncated)
        }
        let header: FlatGeobufHeader
        do { header = try FlatGeobufHeader(window.bytes(count)) } catch {
            throw malformed("header", error)
        }
        guard try window.skip(count), try window.skip(header.indexByteCount) else {
            throw malformed("spatial index", .truncated)
        }
        return header
    }
}
