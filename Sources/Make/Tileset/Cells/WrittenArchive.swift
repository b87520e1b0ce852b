import Platform
import TileArchive

/// A job's note about an archive that it has made, which tells a later run whether the archive is unchanged,
/// and the files that it was made from.
struct WrittenArchive {
    private let path: String
    private let files: JobFiles
    private let mark: String

    /// - Parameter files: the files of the job.
    init(_ path: String, of files: JobFiles) {
        self.path = path
        self.files = files
        mark = files.written(ByteSum.of(Directory.resolvingDirectory(of: path)))
    }

    /// The paths of the archives that a job made.
    static func paths(of files: JobFiles) -> [String] {
        let folder = files.folder("index")
        let names = ((try? Directory(folder).names()) ?? []).filter { JobFiles.isOfWritten($0) }
        return names.sorted().compactMap { lines(of: "\(folder)/\($0)").dropFirst().first }
    }

    /// The words of a note, and the path of its archive.
    private static func lines(of mark: String) -> [String] {
        guard let bytes = try? File(readingRegular: mark).bytes(upTo: longest) else { return [] }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.split(separator: "\n", maxSplits: 1).map(String.init)
    }

    private static let longest = 1 << 14

    /// Identifies an archive's file and its last change.
    private static func words(_ status: FileStatus) -> [String] {
        let (file, time) = (status.identity, (status.changedSeconds, status.changedNanoseconds))
        return ["\(file.device)", "\(file.inode)", "\(status.size)", "\(time.0).\(time.1)"]
    }

    /// The words of the archive, and a sum over those of the job's files.
    private var noted: (archive: [String], files: String)? {
        guard let line = Self.lines(of: mark).first else { return nil }
        var words = line.split(separator: " ").map(String.init)
        guard let files = words.popLast() else { return nil }
        return (words, files)
    }

    /// A sum over the words of the files of tiles and of leaf blocks. Others may come later, as
    /// when the job makes another archive.
    private var filesNow: String {
        var all: [String] = []
        for (phase, start) in [("tiles", ""), ("index", "leaves-")] {
            let folder = files.folder(phase)
            let names = ((try? Directory(folder).names()) ?? []).filter {
                // Unfinished files have an ending.
                $0.hasPrefix(start) && !$0.contains(".")
            }
            for name in names.sorted() {
                guard let status = try? FileStatus(of: "\(folder)/\(name)") else { continue }
                all += [name] + Self.words(status)
            }
        }
        return String(ByteSum.of(all.joined(separator: " ")), radix: 16)
    }

    /// The present words.
    private var now: [String]? {
        FileStatus(ofArchiveAt: path).map(Self.words)
    }

    /// Whether the archive exists and nothing has changed it since.
    var isThere: Bool { now != nil && noted?.archive == now }

    /// Whether the job's files still are those that the archive was made from: another file, though
    /// undamaged, would hide what is to be changed.
    var hasItsFiles: Bool { noted?.files == filesNow }

    /// Whether the archive has its name. A slow process may still be writing the same bytes into it.
    var isNamed: Bool { now != nil && noted?.archive.dropLast() == now?.dropLast() }

    /// Removes the note: the archive is about to be changed file by file, and would be neither the
    /// old nor the new one if that ended halfway.
    func forget() { try? File.remove(mark) }

    /// - Parameter status: the status of the archive's file, if it has another name so far.
    func note(_ status: FileStatus? = nil) throws {
        guard let status = status ?? FileStatus(ofArchiveAt: path) else {
            throw JobError.cannotWrite(path: mark, reason: "\(path) has gone")
        }
        forget()
        do throws(FileError) {
            let line = (Self.words(status) + [filesNow]).joined(separator: " ")
            let text = "\(line)\n\(Directory.resolvingDirectory(of: path))"
            try File.write(Array(text.utf8).span, toNew: mark)
        } catch {
            // Another process was faster.
            guard error.isTaken else { throw JobError.cannotWrite(path: mark, reason: "\(error)") }
        }
    }
}
