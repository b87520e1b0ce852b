import Compression

/// The compressed bytes of one file in a zip archive; its contents are checked against its checksum.
final class ZipMemberStream: ByteStream {
    private let file: InputFile
    private var range: Range<Int>

    /// The contents of a member.
    static func contents(
        of member: ZipDirectory.Member, in path: String, named name: String
    ) throws(InputError) -> any ByteStream {
        func fault(_ problem: String) -> InputError {
            .malformed(input: name, location: "zip archive", problem: problem)
        }
        guard !member.isEncrypted else { throw fault("the file is encrypted; unpack it first") }
        let packed = try ZipMemberStream(member, in: path, named: name)
        let contents: any ByteStream
        switch member.method {
        case 0: contents = packed
        case 8:
            contents = UnpackedStream(
                packed, InflateStream(format: .raw), name: name, format: "zip archive")
        case 93:
            contents = UnpackedStream(packed, ZstandardStream(), name: name, format: "zip archive")
        default: throw fault("the file is packed by method \(member.method); unpack it first")
        }
        return CheckedStream(contents, size: member.size, sum: member.checksum, name: name)
    }

    private init(
        _ member: ZipDirectory.Member, in path: String, named name: String
    ) throws(InputError) {
        file = try InputFile(path, of: name)
        // The local header has a name and an extra field with their own lengths (4.3.7).
        let head = try file.bytes(at: member.offset, upTo: 30)
        guard head.count == 30, head.span.number(0, 4) == 0x0403_4B50,
            case let start = member.offset + 30 + head.span.number(26, 2) + head.span.number(28, 2),
            start <= file.size, member.packedSize <= file.size - start
        else {
            throw .malformed(
                input: name, location: "zip archive", problem: "is cut off or damaged at this file")
        }
        range = start..<start + member.packedSize
    }

    func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(InputError) -> Int {
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(range.count))
        guard room.count > 0 else { return 0 }
        let count = try unsafe file.read(into: room, at: range.lowerBound)
        range = range.lowerBound + count..<range.upperBound
        return count
    }
}

/// The bytes of another source, checked against a known count and checksum (RFC 1952).
private final class CheckedStream: ByteStream {
    private let source: any ByteStream
    private let expected: (size: Int, sum: UInt32)
    private let name: String
    private var size = 0
    private var sum: UInt32 = 0

    init(_ source: any ByteStream, size: Int, sum: UInt32, name: String) {
        self.source = source
        expected = (size, sum)
        self.name = name
    }

    func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(InputError) -> Int {
        guard buffer.count > 0 else { return 0 }
        let count = try unsafe source.fill(buffer)
        size += count
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
        sum = unsafe CRC32.of(Span(_unsafeBytes: bytes), behind: sum)
        let isRight =
            count > 0 ? size <= expected.size : size == expected.size && sum == expected.sum
        guard isRight else {
            throw .malformed(
                input: name, location: "zip archive",
                problem: "the file is not what its checksum says; it is damaged")
        }
        return count
    }
}
