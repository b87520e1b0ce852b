import Points

/// Reads the rows of Arrow's columnar format between programs (version 5 of its metadata): a stream of
/// record batches, or a file that holds one.
///
/// Layout of a stream: messages, each FF FF FF FF, the length of its description (32 bits), the
/// description, and a body as long as that says. The first describes the columns; a length of 0 is the
/// end. A file has a mark of eight bytes in front, and behind the end an index that is not needed.
enum ArrowReader: PointReader {
    static let format = InputFormat.arrow
    static let fileExtensions = ["arrow", "arrows", "feather"]

    private static let mark = Array("ARROW1".utf8)
    private static let longestHead = 64 << 20
    private static let longestBody = 1 << 31

    static func recognises(_ start: Span<UInt8>) -> Bool {
        guard start.count >= 8 else { return false }
        return mark.indices.allSatisfy { start[$0] == mark[$0] }
            || (0..<4).allSatisfy { start[$0] == 0xFF }
    }

    static func read(_ input: OpenInput, into collector: PointCollector) throws(InputError) {
        var window = InputWindow(input)
        try passMark(&window)
        guard let head = try message(&window), case .schema(let fields) = head.content else {
            throw malformed(window, .badMessage("the first is no schema"))
        }
        _ = try window.skip(head.bodySize)
        var rows = try ArrowRows(
            fields, builder: collector.makeBuilder(), collector.options, of: input.name)
        while let head = try message(&window) {
            guard head.bodySize <= longestBody else {
                throw malformed(window, .messageTooLarge(bytes: head.bodySize))
            }
            guard try window.fill(head.bodySize) else { throw malformed(window, .truncated) }
            if case .batch(let layout) = head.content {
                try pass(layout, fields, &rows, window, head.bodySize, into: collector)
            }
            _ = try window.skip(head.bodySize)
        }
        try collector.collect(&rows.builder)
    }

    private static func pass(
        _ layout: ArrowBatch.Layout, _ fields: [ArrowField], _ rows: inout ArrowRows,
        _ window: borrowing InputWindow, _ size: Int, into collector: PointCollector
    ) throws(InputError) {
        let batch: ArrowBatch
        do { batch = try ArrowBatch(layout, fields, in: window.bytes(size)) } catch {
            throw malformed(window, fault(error))
        }
        for row in 0..<batch.rowCount {
            try rows.pass(row, of: batch)
            if rows.builder.isFull || rows.builder.isStopped {
                try collector.collect(&rows.builder)
            }
        }
    }

    private struct Message {
        enum Content {
            case schema([ArrowField])
            case batch(ArrowBatch.Layout)
            case other
        }
        var content: Content
        var bodySize: Int

        /// A message's table: 1 kind, 2 what it is about, 3 length of the body.
        init(_ bytes: Span<UInt8>) throws {
            let table = try FlatTable(rootOf: bytes)
            let kind: UInt8 = try table.integer(1, default: 0)
            bodySize = Int(try table.integer(3, default: Int64(0)))
            guard bodySize >= 0, let header = try table.table(2) else {
                throw ArrowFault.badMessage("it is about nothing")
            }
            switch kind {
            case 1: content = .schema(try ArrowField.list(in: header))
            case 3: content = .batch(try ArrowBatch.Layout(header))
            default: content = .other
            }
        }
    }

    /// The next message, up to its body; nil at the end.
    private static func message(_ window: inout InputWindow) throws(InputError) -> Message? {
        guard try window.fill(8) else {
            throw malformed(window, window.available == 0 ? .noEnd : .truncated)
        }
        guard let (start, size) = prefix(window.bytes(8)), start == .max else {
            throw malformed(window, .badMessage("it does not begin as one"))
        }
        if size == 0 { return nil }
        guard size <= longestHead else {
            throw malformed(window, .messageTooLarge(bytes: Int(size)))
        }
        guard try window.skip(8), try window.fill(Int(size)) else {
            throw malformed(window, .truncated)
        }
        let message: Message
        do { message = try Message(window.bytes(Int(size))) } catch {
            throw malformed(window, fault(error))
        }
        _ = try window.skip(Int(size))
        return message
    }

    private static func prefix(_ bytes: Span<UInt8>) -> (start: UInt32, size: UInt32)? {
        guard let start = try? FlatTable.load(UInt32.self, bytes, at: 0),
            let size = try? FlatTable.load(UInt32.self, bytes, at: 4)
        else { return nil }
        return (start, size)
    }

    private static func passMark(_ window: inout InputWindow) throws(InputError) {
        guard try window.fill(8) else { throw malformed(window, .noMagic) }
        guard recognises(window.bytes(8)) else { throw malformed(window, .noMagic) }
        if window.bytes(8)[0] == mark[0] { _ = try window.skip(8) }
    }

    private static func fault(_ error: any Error) -> ArrowFault {
        error as? ArrowFault ?? .badMessage("\(error)")
    }

    private static func malformed(_ window: borrowing InputWindow, _ fault: ArrowFault)
        -> InputError
    {
        .malformed(
            input: window.input.name, location: "byte \(window.offset)",
            problem: fault.description)
    }
}
