/// Reads stretches of a stream one after another, several at once.
struct StreamWindow {
    private let stream: JobStream
    private let reader: JobFileReader
    private var start = 0
    private var content: ArraySlice<UInt8> = []

    private static let size = 1 << 20

    init(_ stream: JobStream, in reader: JobFileReader) {
        self.stream = stream
        self.reader = reader
    }

    mutating func bytes(_ range: Range<Int>) throws(JobError) -> ArraySlice<UInt8> {
        if range.lowerBound < start || range.upperBound > start + content.count {
            let end = min(range.lowerBound + Self.size, stream.count)
            content = try stream.bytes(
                range.lowerBound..<max(end, range.upperBound), in: reader)
            start = range.lowerBound
        }
        let first = content.startIndex - start
        return content[first + range.lowerBound..<first + range.upperBound]
    }
}
