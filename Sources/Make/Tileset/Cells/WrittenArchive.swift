import Platform
import TileArchive

/// What a job notes of an archive that it has made, so that a later run knows whether it is there as it was.
struct WrittenArchive {
    private let path: String
    private let mark: String

    /// - Parameter files: those of the job.
    init(_ path: String, of files: JobFiles) {
        self.path = path
        let (directory, name) = Directory.split(path)
        let folder = (try? File.resolved(directory)) ?? directory
        mark = files.written(ByteSum.of("\(folder)/\(name)"))
    }

    /// Which file an archive is, and when it was changed.
    private static func words(_ status: FileStatus) -> [String] {
        let (file, time) = (status.identity, (status.changedSeconds, status.changedNanoseconds))
        return ["\(file.device)", "\(file.inode)", "\(status.size)", "\(time.0).\(time.1)"]
    }

    private var noted: [String]? {
        (try? File(readingRegular: mark).bytes(upTo: 200)).map {
            String(decoding: $0, as: UTF8.self).split(separator: " ").map(String.init)
        }
    }

    /// What it is now.
    private var now: [String]? {
        FileStatus(ofArchiveAt: path).map(Self.words)
    }

    /// Whether nothing has changed it since.
    var isThere: Bool { now != nil && noted == now }

    /// Whether it has its name. A process that is late may still write the same bytes into it.
    var isNamed: Bool { now != nil && noted?.dropLast() == now?.dropLast() }

    /// Forgets it: the archive is about to be changed file by file, and would be neither the old nor the new one if that ended
    /// halfway.
    func forget() { try? File.remove(mark) }

    /// - Parameter status: of the archive's file, where it has another name yet.
    func note(_ status: FileStatus? = nil) throws {
        guard let status = status ?? FileStatus(ofArchiveAt: path) else {
            throw JobError.cannotWrite(path: mark, reason: "\(path) has gone")
        }
        try? File.remove(mark)
        do throws(FileError) {
            let text = Array(Self.words(status).joined(separator: " ").utf8)
            try File.write(text.span, toNew: mark)
        } catch {
            // Another process was sooner.
            guard error.isTaken else { throw JobError.cannotWrite(path: mark, reason: "\(error)") }
        }
    }
}
