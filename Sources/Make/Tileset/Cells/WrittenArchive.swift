import Platform
import TileArchive

/// A job's note about an archive that it has made, which tells a later run whether the archive is unchanged.
struct WrittenArchive {
    private let path: String
    private let mark: String

    /// - Parameter files: the files of the job.
    init(_ path: String, of files: JobFiles) {
        self.path = path
        mark = files.written(ByteSum.of(Directory.resolvingDirectory(of: path)))
    }

    /// Identifies an archive's file and its last change.
    private static func words(_ status: FileStatus) -> [String] {
        let (file, time) = (status.identity, (status.changedSeconds, status.changedNanoseconds))
        return ["\(file.device)", "\(file.inode)", "\(status.size)", "\(time.0).\(time.1)"]
    }

    private var noted: [String]? {
        (try? File(readingRegular: mark).bytes(upTo: 200)).map {
            String(decoding: $0, as: UTF8.self).split(separator: " ").map(String.init)
        }
    }

    /// The present words.
    private var now: [String]? {
        FileStatus(ofArchiveAt: path).map(Self.words)
    }

    /// Whether the archive exists and nothing has changed it since.
    var isThere: Bool { now != nil && noted == now }

    /// Whether the archive has its name. A slow process may still be writing the same bytes into it.
    var isNamed: Bool { now != nil && noted?.dropLast() == now?.dropLast() }

    /// Removes the note: the archive is about to be changed file by file, and would be neither the
    /// old nor the new one if that ended halfway.
    func forget() { try? File.remove(mark) }

    /// - Parameter status: the status of the archive's file, if it has another name so far.
    func note(_ status: FileStatus? = nil) throws {
        guard let status = status ?? FileStatus(ofArchiveAt: path) else {
            throw JobError.cannotWrite(path: mark, reason: "\(path) has gone")
        }
        try? File.remove(mark)
        do throws(FileError) {
            let text = Array(Self.words(status).joined(separator: " ").utf8)
            try File.write(text.span, toNew: mark)
        } catch {
            // Another process was faster.
            guard error.isTaken else { throw JobError.cannotWrite(path: mark, reason: "\(error)") }
        }
    }
}
