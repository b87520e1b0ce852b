/// Reads stretches of a stream one after another. Where they follow on each other, it reads ahead, further each time.
struct StreamWindow {
    private let stream: JobStream
    private let reader: JobFileReader
    private var start = 0
    private var content: ArraySlice<UInt8> = []
    /// The end of the last stretch.
    private var end = 0
    private var ahead = Self.least

    private static let least = JobStream.blockSize
    private static let most = 1 << 20

    init(_ stream: JobStream, in reader: JobFileReader) {
        self.stream = stream
        self.reader = reader
    }

    mutating func bytes(_ range: Range<Int>) throws(JobError) -> ArraySlice<UInt8> {
        if range.lowerBound < start || range.upperBound > start + content.count {
            ahead = range.lowerBound == end ? min(2 * ahead, Self.most) : Self.least
            let last = min(range.lowerBound + ahead, stream.count)
            content = try stream.bytes(range.lowerBound..<max(last, range.upperBound), in: reader)
            start = range.lowerBound
        }
        end = range.upperBound
        let first = content.startIndex - start
        return content[first + range.lowerBound..<first + range.upperBound]
    }
}
