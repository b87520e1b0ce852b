import Synchronization

/// Files of a job that are in a store which this program does not know. They are fetched into the job's
/// folder before they are read; until then a file has its length there, and zeros.
///
/// Reading a file fetches it whole. A phase that needs a part of a file, or many files one after the other,
/// fetches these beforehand, so that they come at once.
public final class RemoteFiles: Sendable {
    /// A file, or a stretch of its bytes.
    public struct Piece: Sendable, Equatable {
        public let path: String
        /// The range of bytes; nil means the whole file. It may end after the file.
        public let bytes: Range<Int>?
    }

    private struct Fetched {
        var whole: Set<String> = []
        /// The fetched stretches of files that are not needed as a whole.
        var stretches: [String: RangeSet<Int>] = [:]

        func missing(of piece: Piece) -> [Piece] {
            if whole.contains(piece.path) { return [] }
            guard let bytes = piece.bytes else { return [piece] }
            let missing = RangeSet(bytes).subtracting(stretches[piece.path] ?? RangeSet())
            return missing.ranges.map { Piece(path: piece.path, bytes: $0) }
        }

        mutating func insert(_ piece: Piece) {
            guard let bytes = piece.bytes else {
                whole.insert(piece.path)
                return
            }
            stretches[piece.path, default: RangeSet()].insert(contentsOf: bytes)
        }
    }

    private let fetched = Mutex(Fetched())
    private let get: @Sendable ([Piece]) throws(JobError) -> Void

    /// - Parameter get: writes pieces of files to their paths; no piece is asked for twice.
    public init(get: @escaping @Sendable ([Piece]) throws(JobError) -> Void) { self.get = get }

    func fetch(_ pieces: [Piece]) throws(JobError) {
        try fetched.withLock { fetched throws(JobError) in
            var (all, missing) = (fetched, [Piece]())
            for piece in pieces {
                missing += all.missing(of: piece)
                all.insert(piece)
            }
            guard !missing.isEmpty else { return }
            try get(missing)
            fetched = all
        }
    }

    /// Fetches the bytes for a read: the whole file, unless stretches of it were fetched before.
    func fetch(_ bytes: Range<Int>, of path: String) throws(JobError) {
        let isWhole = fetched.withLock { $0.stretches[path] == nil }
        try fetch([Piece(path: path, bytes: isWhole ? nil : bytes)])
    }
}
