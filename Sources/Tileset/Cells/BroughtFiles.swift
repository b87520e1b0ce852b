import Synchronization

/// Files of a job that lie in a store which this program does not know. Somebody else brings them into the
/// job's folder before they are read; until then a file is as long there as it is in the store, and empty.
///
/// Who reads a file has all of it brought without a word. Who needs only some of it, or many files one after
/// the other, asks for these beforehand, so that they come at once.
public enum BroughtFiles {
    /// A file, or a stretch of its bytes.
    public struct Piece: Sendable, Equatable {
        public let path: String
        /// Nil is all of it. A stretch may end behind the file.
        public let bytes: Range<Int>?
    }

    /// Brings pieces of files, none of which is asked for again.
    public typealias Carrier = @Sendable ([Piece]) throws(JobError) -> Void

    private static let folders = Mutex<[String: Folder]>([:])

    /// From now on files below a folder are brought before they are read.
    public static func bring(to folder: String, by carrier: @escaping Carrier) {
        folders.withLock { $0[folder] = Folder(carrier: carrier) }
    }

    static func areBrought(to folder: String) -> Bool {
        folders.withLock { $0[folder] != nil }
    }

    /// Has files brought as a whole.
    static func need(_ paths: [String]) throws(JobError) {
        try need(paths.map { Piece(path: $0, bytes: nil) })
    }

    /// Has pieces of files in one folder brought.
    static func need(_ pieces: [Piece]) throws(JobError) {
        guard let path = pieces.first?.path else { return }
        try inFolder(of: path) { folder throws(JobError) in try folder.bring(pieces) }
    }

    /// Bytes of a file are about to be read.
    static func needToRead(_ bytes: Range<Int>, of path: String) throws(JobError) {
        try inFolder(of: path) { folder throws(JobError) in
            let isWhole = folder.stretches[path] == nil
            try folder.bring([Piece(path: path, bytes: isWhole ? nil : bytes)])
        }
    }

    private static func inFolder(
        of path: String, _ body: (inout Folder) throws(JobError) -> Void
    ) throws(JobError) {
        try folders.withLock { folders throws(JobError) in
            guard let name = folders.keys.first(where: { path.hasPrefix($0 + "/") }),
                var folder = folders[name]
            else { return }
            try body(&folder)
            folders[name] = folder
        }
    }

    /// What has come of the files below a folder.
    private struct Folder {
        let carrier: Carrier
        var whole: Set<String> = []
        /// Of files that somebody wants no more of.
        var stretches: [String: RangeSet<Int>] = [:]

        mutating func bring(_ pieces: [Piece]) throws(JobError) {
            let missing = pieces.flatMap(missing(of:))
            guard !missing.isEmpty else { return }
            try carrier(missing)
            for piece in missing {
                if let bytes = piece.bytes {
                    stretches[piece.path, default: RangeSet()].insert(contentsOf: bytes)
                } else {
                    whole.insert(piece.path)
                }
            }
        }

        private func missing(of piece: Piece) -> [Piece] {
            if whole.contains(piece.path) { return [] }
            guard let bytes = piece.bytes else { return [piece] }
            let missing = RangeSet(bytes).subtracting(stretches[piece.path] ?? RangeSet())
            return missing.ranges.map { Piece(path: piece.path, bytes: $0) }
        }
    }
}
