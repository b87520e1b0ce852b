/// The messages of an Arrow file, whose footer has their offsets.
///
/// The footer, its length (32 bits) and the mark follow the last message. What precedes the
/// messages is up to the writer.
struct ArrowFile: ArrowSource {
    let schema: ArrowSchema
    private let file: InputFile
    private let blocks: [Block]
    private var index = 0

    /// The place of a message: its description, with its prefix, and the body after it.
    private struct Block {
        var offset: Int
        var headSize: Int
        var bodySize: Int
    }

    var name: String { file.name }
    var offset: Int { index < blocks.count ? blocks[index].offset : file.size }

    /// Nil if the file does not end as such files do: then it may still be a stream.
    init?(_ file: InputFile) throws(InputError) {
        guard file.size >= 18 else { return nil }
        let end = try file.bytes(file.size - 10..<file.size)
        let size = end.span.number(0, 4)
        guard ArrowReader.isFile(end.span.extracting(4...)), size <= file.size - 18 else {
            return nil
        }
        self.file = file
        let footer = try file.bytes(file.size - 10 - size..<file.size - 10)
        do {
            // The footer's table: 1 schema, 2 dictionaries, 3 batches.
            let table = try FlatTable(rootOf: footer.span)
            guard let schema = try table.table(1) else {
                throw ArrowFault.badMessage("there is no schema")
            }
            self.schema = try ArrowSchema(schema)
            blocks = try Self.blocks(table, 2, of: file) + Self.blocks(table, 3, of: file)
        } catch {
            throw file.malformed(ArrowFault(error), at: "footer")
        }
    }

    /// Each has 24 bytes: offset, length of the description, four bytes of padding, length of the body.
    private static func blocks(
        _ table: borrowing FlatTable, _ field: Int, of file: InputFile
    ) throws -> [Block] {
        let bytes = try table.vector(field, elementSize: 24)
        return try (0..<bytes.count / 24).map { index in
            let offset = Int(try FlatTable.load(Int64.self, bytes, at: 24 * index))
            let head = Int(try FlatTable.load(Int32.self, bytes, at: 24 * index + 8))
            let body = Int(try FlatTable.load(Int64.self, bytes, at: 24 * index + 16))
            guard offset >= 0, head >= 8, body >= 0, offset <= file.size,
                head <= file.size - offset, body <= file.size - offset - head
            else { throw ArrowFault.badMessage("the footer points outside the file") }
            guard body <= ArrowMessage.longestBody else {
                throw ArrowFault.messageTooLarge(bytes: body)
            }
            return Block(offset: offset, headSize: head, bodySize: body)
        }
    }

    mutating func next() throws(InputError) -> ArrowMessage? {
        guard index < blocks.count else { return nil }
        let block = blocks[index]
        let head = try file.bytes(block.offset..<block.offset + block.headSize)
        let content: ArrowMessage.Content
        do {
            // Before 2019 the prefix was the length alone.
            let start = (0..<4).allSatisfy { head[$0] == 0xFF } ? 8 : 4
            content = try ArrowMessage.Head(head.span.extracting(start...)).content()
        } catch {
            throw malformed(ArrowFault(error))
        }
        let start = block.offset + block.headSize
        let body = try file.bytes(start..<start + block.bodySize)
        index += 1
        return ArrowMessage(content: content, body: body)
    }
}
