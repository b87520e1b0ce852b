import Platform

/// The folder of a job. Its plan says what the job is; all other files are named by `JobFiles`.
///
/// A temporary folder is removed with its owner.
final class JobFolder: Sendable {
    let path: String
    private let temporary: TemporaryFolder?
    /// Fetches files of the job that are elsewhere; nil if there are none.
    private let remote: RemoteFiles?

    /// Whether the folder is removed with its owner.
    var isTemporary: Bool { temporary != nil }

    /// Whether a later job may take over its files.
    var keepsFiles: Bool { !isTemporary && !isRemote }

    /// A folder that stays; it is made if it does not exist.
    init(_ path: String, remote: RemoteFiles? = nil) throws(JobError) {
        self.path = path
        self.remote = remote
        temporary = nil
        try Self.make(path)
    }

    init(temporaryIn directory: String) throws(JobError) {
        remote = nil
        do {
            let folder = try TemporaryFolder(in: directory)
            path = folder.path
            temporary = folder
        } catch {
            throw .cannotWrite(path: directory, reason: "\(error)")
        }
    }

    /// Makes a folder if it does not exist.
    static func make(_ path: String) throws(JobError) {
        do {
            try Directory.create(path)
        } catch {
            guard (try? FileStatus(of: path))?.kind == .directory else {
                throw .cannotWrite(path: path, reason: "\(error)")
            }
        }
    }

    func has(_ file: String) -> Bool { (try? FileStatus(of: file))?.isRegular ?? false }

    var isRemote: Bool { remote != nil }

    /// Fetches whole files of the job.
    func fetch(_ paths: [String]) throws(JobError) {
        try fetch(paths.map { RemoteFiles.Piece(path: $0, bytes: nil) })
    }

    func fetch(_ pieces: [RemoteFiles.Piece]) throws(JobError) { try remote?.fetch(pieces) }

    /// Fetches the beginnings of files and their last blocks: first what says where these begin, at the end of each file. In a
    /// store, last blocks lie side by side and come along.
    func fetchTails(of paths: [String]) throws(JobError) {
        guard remote != nil else { return }
        let files = paths.compactMap { path in
            (try? FileStatus(of: path).size).map { (path: path, size: $0) }
        }.filter { $0.size > JobFile.headSize + 24 }
        try fetch(
            files.flatMap { file -> [RemoteFiles.Piece] in
                let tail = JobFile.placeOfTail(file.size).lowerBound
                return [0..<min(Self.usualHead, file.size), tail..<file.size]
                    .map { .init(path: file.path, bytes: $0) }
            })
        var tails: [RemoteFiles.Piece] = []
        for (path, size) in files {
            let last = try bytes(of: path, JobFile.placeOfTail(size))
            guard let start = JobFileReader.startOfTail(last, size: size) else {
                throw .damaged(path: path)
            }
            tails.append(.init(path: path, bytes: start..<size))
        }
        try fetch(tails)
    }

    /// As many bytes as come before all blocks, unless there are many attributes.
    static let usualHead = 4_096

    /// Some bytes of a file of the job.
    func bytes(of path: String, _ range: Range<Int>) throws(JobError) -> [UInt8] {
        try bytes(of: path, range) { _ in nil }.first
    }

    /// Some bytes of a file of the job, and then those that `next` finds by them. The file is opened once for both.
    func bytes(
        of path: String, _ range: Range<Int>, then next: ([UInt8]) throws(JobError) -> Range<Int>?
    ) throws(JobError) -> (first: [UInt8], second: [UInt8]) {
        try remote?.fetch(range, of: path)
        let file = try readable(path) { () throws(FileError) in try File(readingRegular: path) }
        let first = try readable(path) { () throws(FileError) in try file.bytes(range) }
        guard let range = try next(first) else { return (first, []) }
        try remote?.fetch(range, of: path)
        return (first, try readable(path) { () throws(FileError) in try file.bytes(range) })
    }

    private func readable<Read: ~Copyable>(
        _ path: String, _ read: () throws(FileError) -> Read
    ) throws(JobError) -> Read {
        do {
            return try read()
        } catch {
            throw .cannotRead(path: path, reason: "\(error)")
        }
    }

    /// The first bytes of a file of the job, and its size.
    func start(of path: String) throws(JobError) -> (bytes: [UInt8], size: Int) {
        // No more is fetched than must be.
        let usual = 0..<(isRemote ? JobFile.headSize : Self.usualHead)
        try remote?.fetch(usual, of: path)
        return try readable(path) { () throws(FileError) in
            let file = try File(readingRegular: path)
            return (try file.bytes(usual), try file.status().size)
        }
    }

    var plan: String { Self.plan(in: path) }

    /// Whether there is a folder with a plan.
    static func holdsPlan(_ path: String) -> Bool {
        (try? FileStatus(of: plan(in: path)))?.isRegular ?? false
    }

    private static func plan(in path: String) -> String { "\(path)/plan.json" }
}
