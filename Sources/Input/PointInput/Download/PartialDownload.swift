import Platform
import Synchronization

/// A file on the web of which parts are fetched as they are needed, into a temporary file with holes.
///
/// All that is fetched must be of one state of the file. Any number of threads may ask.
final class PartialDownload: Sendable {
    let size: Int
    /// The first bytes.
    let start: [UInt8]
    private let url: String
    private let tag: String?
    private let copy: InputCopy
    private let held = Mutex(RangeSet<Int>())
    /// One transfer at a time.
    private let turn = Mutex(0)
    private let isCancelled: @Sendable () -> Bool
    private let progress: @Sendable (InputProgress) -> Void

    /// What lies between two parts is fetched with them where it is less: it takes no longer than one
    /// more request.
    private static let narrowGap = 1 << 18

    /// Where the parts are, at the places that they have in the file.
    var path: String { copy.path }

    /// Asks for the beginning of a file; nil where the server gives whole files only.
    init?(
        of url: String, in temporaryDirectory: String,
        isCancelled: @escaping @Sendable () -> Bool,
        progress: @escaping @Sendable (InputProgress) -> Void
    ) throws(InputError) {
        let range = 0..<OpenInput.longestStart
        var transfer = try WebTransfer.begin(of: url, range: range)
        var start: [UInt8] = []
        do throws(WebFault) {
            while let bytes = try transfer.next(isCancelled: isCancelled) { start += bytes }
        } catch {
            guard error == .noRanges else { throw InputError(error, of: url) }
            return nil
        }
        self.url = url
        self.start = start
        self.isCancelled = isCancelled
        self.progress = progress
        size = transfer.head.total ?? start.count
        tag = transfer.head.tag
        copy = try InputCopy(in: temporaryDirectory, of: url)
        try copy.write(start.span, at: 0)
        held.withLock { $0.insert(contentsOf: 0..<start.count) }
    }

    /// Fetches what is not there yet of some parts of the file.
    func fetch(_ parts: [Range<Int>]) throws(InputError) {
        guard !missing(of: parts).isEmpty else { return }
        try turn.withLock { total throws(InputError) in
            // Another thread may have fetched them meanwhile.
            var ranges = missing(of: parts)[...]
            while var range = ranges.popFirst() {
                while let next = ranges.first, next.lowerBound - range.upperBound < Self.narrowGap {
                    range = range.lowerBound..<next.upperBound
                    ranges.removeFirst()
                }
                try fetch(range, &total)
                held.withLock { $0.insert(contentsOf: range) }
            }
        }
    }

    /// In ascending order.
    private func missing(of parts: [Range<Int>]) -> [Range<Int>] {
        let wanted = RangeSet(parts)
        return held.withLock { Array(wanted.subtracting($0).ranges) }
    }

    private func fetch(_ range: Range<Int>, _ total: inout Int) throws(InputError) {
        var transfer = try WebTransfer.begin(of: url, range: range)
        var offset = range.lowerBound
        while let bytes = try transfer.next(of: url, isCancelled) {
            guard transfer.head.total == size, transfer.head.tag == tag else {
                throw .changedWhileRead(input: url)
            }
            try copy.write(bytes.span, at: offset)
            offset += bytes.count
            total += bytes.count
            progress(InputProgress(input: url, bytes: total, total: nil))
        }
    }
}
