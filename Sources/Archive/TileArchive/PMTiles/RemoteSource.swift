import Platform
import Synchronization

/// A file on the web, whose ranges are fetched as they are needed.
///
/// Recently fetched bytes are kept, in pieces of one size: tiles that are used together are stored together, so
/// one request serves many. All bytes that are read must come from the same version of the file.
final class RemoteSource: RangeSource {
    let path: String
    private let address: String
    let byteCount: Int
    private let tag: String?
    private let pieces: Mutex<PieceCache>
    private let hasChanged = Atomic<Bool>(false)

    /// Large enough for most leaf directories and their neighbours, small enough not to be noticed.
    static let pieceBytes = 64 << 10
    /// The most bytes of one read; no part of an archive that is read at once is larger.
    private static let mostBytes = 256 << 20

    /// Fetches the beginning of a file, which tells its length.
    init(_ address: String) throws(ArchiveError) {
        path = WebTransfer.shown(address)
        self.address = address
        let (first, head) = try Self.transfer(0..<Self.pieceBytes, of: address)
        byteCount = head.total ?? first.count
        tag = head.tag
        var cache = PieceCache()
        cache.keep(first, number: 0)
        pieces = Mutex(cache)
    }

    private static func transfer(
        _ range: Range<Int>, of address: String
    ) throws(ArchiveError) -> (bytes: [UInt8], head: ResponseHead) {
        var limits = WebTransfer.Limits()
        limits.connectSeconds = 15
        limits.silenceSeconds = 30
        limits.redirects = 5
        do {
            var transfer = try WebTransfer(of: address, range: range, limits: limits)
            var bytes: [UInt8] = []
            while let more = try transfer.next() { bytes += more }
            return (bytes, transfer.head)
        } catch {
            let advice =
                error == .noRanges ? ", which an archive on the web needs; download it whole" : ""
            throw .unreadable(path: WebTransfer.shown(address), reason: error.reason + advice)
        }
    }

    var isStale: Bool { hasChanged.load(ordering: .relaxed) }

    func bytes(_ range: Range<Int>) throws(ArchiveError) -> [UInt8] {
        guard !range.isEmpty else { return [] }
        guard range.count <= Self.mostBytes, range.upperBound <= byteCount else {
            throw .corrupt(path: path, reason: "a part of it would have \(range.count) bytes")
        }
        let numbers = range.lowerBound / Self.pieceBytes...(range.upperBound - 1) / Self.pieceBytes
        var found: [Int: [UInt8]] = pieces.withLock { pieces in
            var found: [Int: [UInt8]] = [:]
            for number in numbers { found[number] = pieces.piece(number) }
            return found
        }
        let missing = numbers.filter { found[$0] == nil }
        if let first = missing.first, let last = missing.last {
            let fetched = try fetch(first...last)
            pieces.withLock { pieces in
                for (number, piece) in fetched { pieces.keep(piece, number: number) }
            }
            found.merge(fetched) { old, _ in old }
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        for number in numbers {
            let start = number * Self.pieceBytes
            let piece = found[number] ?? []
            let part = range.clamped(to: start..<start + piece.count)
            bytes += piece[part.lowerBound - start..<part.upperBound - start]
        }
        return bytes
    }

    private func fetch(_ numbers: ClosedRange<Int>) throws(ArchiveError) -> [Int: [UInt8]] {
        let start = numbers.lowerBound * Self.pieceBytes
        let end = min((numbers.upperBound + 1) * Self.pieceBytes, byteCount)
        let (bytes, head) = try Self.transfer(start..<end, of: address)
        guard head.total == byteCount, head.tag == tag else {
            hasChanged.store(true, ordering: .relaxed)
            throw .unreadable(
                path: path, reason: "it was replaced while it was being read; ask again")
        }
        var pieces: [Int: [UInt8]] = [:]
        for number in numbers {
            let offset = (number - numbers.lowerBound) * Self.pieceBytes
            pieces[number] = Array(bytes[offset..<min(offset + Self.pieceBytes, bytes.count)])
        }
        return pieces
    }
}

/// Recently used pieces of a file.
private struct PieceCache {
    private var pieces: [Int: (bytes: [UInt8], used: UInt64)] = [:]
    private var clock: UInt64 = 0

    /// The most pieces, which take 32 MiB.
    private static let mostPieces = 512

    mutating func piece(_ number: Int) -> [UInt8]? {
        clock += 1
        pieces[number]?.used = clock
        return pieces[number]?.bytes
    }

    mutating func keep(_ bytes: [UInt8], number: Int) {
        clock += 1
        pieces[number] = (bytes, clock)
        guard pieces.count > Self.mostPieces else { return }
        // An eighth at a time, so that sorting is rare.
        let oldest = pieces.sorted { $0.value.used < $1.value.used }.prefix(Self.mostPieces / 8)
        for (number, _) in oldest { pieces[number] = nil }
    }
}
