import Basics
import Points

/// The messages of an Arrow stream, one after another.
struct ArrowStream: ArrowSource {
    private var window: InputWindow

    private static let longestHead = 64 << 20

    init(_ input: OpenInput) { window = InputWindow(input) }

    var name: String { window.input.name }
    var offset: Int { window.offset }

    /// The first message, which describes the columns.
    mutating func schema() throws(InputError) -> ArrowSchema {
        guard try window.fill(8), ArrowReader.recognises(window.bytes(8)) else {
            throw malformed(.noMagic)
        }
        if ArrowReader.isFile(window.bytes(8)) { _ = try window.skip(8) }
        guard let size = try headSize() else { throw malformed(.badMessage("there is no schema")) }
        let schema: ArrowSchema?
        let bodySize: Int
        do {
            let head = try ArrowMessage.Head(window.bytes(size))
            bodySize = head.bodySize
            schema = head.kind == 1 ? try ArrowSchema(head.header) : nil
        } catch {
            throw malformed(ArrowFault(error))
        }
        guard let schema else { throw malformed(.badMessage("the first message is not a schema")) }
        _ = try window.skip(size + bodySize)
        return schema
    }

    /// The next message; nil at the end.
    mutating func next() throws(InputError) -> ArrowMessage? {
        guard let size = try headSize() else { return nil }
        let content: ArrowMessage.Content
        let bodySize: Int
        do {
            let head = try ArrowMessage.Head(window.bytes(size))
            bodySize = head.bodySize
            content = try head.content()
        } catch {
            throw malformed(ArrowFault(error))
        }
        guard bodySize <= ArrowMessage.longestBody else {
            throw malformed(.messageTooLarge(bytes: bodySize))
        }
        guard try window.skip(size), try window.fill(bodySize) else { throw malformed(.truncated) }
        var body: [UInt8] = []
        if case .other = content {
        } else {
            body = window.bytes(bodySize).copied
        }
        _ = try window.skip(bodySize)
        return ArrowMessage(content: content, body: body)
    }

    /// Reads up to the next message's description and returns its length; nil at the end.
    private mutating func headSize() throws(InputError) -> Int? {
        guard try window.fill(8) else {
            throw malformed(window.available == 0 ? .noEnd : .truncated)
        }
        guard window.bytes(8).number(0, 4) == UInt32.max else {
            throw malformed(.badMessage("it does not begin with 0xFFFFFFFF"))
        }
        let size = window.bytes(8).number(4, 4)
        if size == 0 { return nil }
        guard size <= Self.longestHead else { throw malformed(.messageTooLarge(bytes: size)) }
        guard try window.skip(8), try window.fill(size) else { throw malformed(.truncated) }
        return size
    }
}
