import Platform
import Synchronization

/// A file on the web whose parts are fetched when needed, into a temporary file with holes.
///
/// All parts must belong to the same state of the file. Any number of threads may call it.
final class PartialDownload: Sendable {
    let size: Int
    /// The first bytes.
    let start: [UInt8]
    private let url: String
    /// The URL in messages, without passwords.
    let name: String
    private let tag: String?
    private let copy: InputCopy
    private let held = Mutex(RangeSet<Int>())
    /// Only one transfer runs at a time.
    private let turn = Mutex(0)
    private let isCancelled: @Sendable () -> Bool
    private let progress: @Sendable (InputProgress) -> Void

    /// A gap between two parts is fetched with them if it is smaller than this: that takes no
    /// longer than another request.
    private static let narrowGap = 1 << 18

    /// The path of the file with the parts at their offsets.
    var path: String { copy.path }

    /// Fetches the beginning of a file; nil if the server sends only whole files.
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
        name = WebTransfer.shown(url)
        self.start = start
        self.isCancelled = isCancelled
        self.progress = progress
        size = transfer.head.total ?? start.count
        tag = transfer.head.tag
        copy = try InputCopy(in: temporaryDirectory, of: name)
        try copy.write(start.span, at: 0)
        held.withLock { $0.insert(contentsOf: 0..<start.count) }
    }

    /// Fetches the missing bytes of some parts of the file.
    func fetch(_ parts: [Range<Int>]) throws(InputError) {
        guard !missing(of: parts).isEmpty else { return }
        try turn.withLock { total throws(InputError) in
            // Another thread may have fetched them in the meantime.
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

    /// The missing ranges in ascending order.
    private func missing(of parts: [Range<Int>]) -> [Range<Int>] {
        let wanted = RangeSet(parts)
        return held.withLock { Array(wanted.subtracting($0).ranges) }
    }

    private func fetch(_ range: Range<Int>, _ total: inout Int) throws(InputError) {
        var transfer = try WebTransfer.begin(of: url, range: range)
        var offset = range.lowerBound
        while let bytes = try transfer.next(of: url, isCancelled) {
            guard transfer.head.total == size, transfer.head.tag == tag else {
                throw .changedWhileRead(input: name)
            }
            try copy.write(bytes.span, at: offset)
            offset += bytes.count
            total += bytes.count
            progress(InputProgress(input: name, bytes: total, total: nil))
        }
    }
}
