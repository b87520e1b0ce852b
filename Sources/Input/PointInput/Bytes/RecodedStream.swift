import CLibrary

/// Another source's text, converted from its encoding to UTF-8 by the C library.
@safe
final class RecodedStream: ByteStream {
    private let source: any ByteStream
    private let name: String
    private let encoding: TextEncoding
    private let converter: iconv_t
    private var bytes = [UInt8](repeating: 0, count: 1 << 16)
    private var unread = 0..<0
    /// The converted characters; none takes more than four bytes.
    private var text = [UInt8](repeating: 0, count: 1 << 16)
    private var ready = 0..<0
    private var offset = 0

    init(
        _ source: any ByteStream, _ encoding: TextEncoding, name: String
    ) throws(InputError) {
        self.source = source
        self.encoding = encoding
        self.name = name
        guard let converter = unsafe encoding.makeConverter() else {
            throw .cannotOpen(
                input: name, reason: "the C library knows no encoding \(encoding.name)")
        }
        unsafe self.converter = converter
    }

    deinit { unsafe iconv_close(converter) }

    func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(InputError) -> Int {
        while ready.isEmpty {
            try convert()
            guard ready.isEmpty else { break }
            guard try readMore() else {
                guard unread.isEmpty else { throw fault("ends in the middle of a character") }
                return 0
            }
        }
        let count = min(buffer.count, ready.count)
        unsafe buffer.copyBytes(from: text[ready.prefix(count)])
        ready.removeFirst(count)
        return count
    }

    /// Moves the rest, the start of a character, to the front, and reads more after it.
    private func readMore() throws(InputError) -> Bool {
        let kept = unread.count
        for index in 0..<kept { bytes[index] = bytes[unread.lowerBound + index] }
        let more = try source.fill(&bytes, from: kept)
        unread = 0..<kept + more
        return more > 0
    }

    private func convert() throws(InputError) {
        var (left, room) = (unread.count, text.count)
        let start = unread.lowerBound
        let code = unsafe bytes.withUnsafeMutableBytes { bytes in
            unsafe text.withUnsafeMutableBytes { text -> Int32 in
                var input = unsafe bytes.baseAddress.map {
                    unsafe ($0 + start).assumingMemoryBound(to: CChar.self)
                }
                var output = unsafe text.baseAddress?.assumingMemoryBound(to: CChar.self)
                return unsafe iconv(converter, &input, &left, &output, &room) == Int(-1) ? errno : 0
            }
        }
        offset += unread.count - left
        unread = unread.upperBound - left..<unread.upperBound
        ready = 0..<text.count - room
        if code == EILSEQ, ready.isEmpty { throw fault("is no \(encoding.name) at byte \(offset)") }
    }

    private func fault(_ problem: String) -> InputError {
        .ambiguous(
            input: name, problem: problem,
            advice: "name its encoding, as --encoding CP932 does (Windows' Shift_JIS) "
                + "or GB18030 (all of GBK)"
        )
    }
}
