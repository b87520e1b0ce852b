import Platform

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

    private static func text(_ status: FileStatus) -> [UInt8] {
        let (seconds, nanoseconds) = (status.changedSeconds, status.changedNanoseconds)
        let identity = status.identity
        return Array(
            "\(identity.device) \(identity.inode) \(status.size) \(seconds).\(nanoseconds)".utf8)
    }

    /// Whether nothing has changed it since.
    var isThere: Bool {
        guard let status = try? FileStatus(of: path), status.isRegular,
            let noted = try? File(readingRegular: mark).bytes(upTo: 200)
        else { return false }
        return noted == Self.text(status)
    }

    /// - Parameter status: of the archive's file, where it has another name yet.
    func note(_ status: FileStatus? = nil) throws {
        let status = try status ?? FileStatus(of: path)
        try? File.remove(mark)
        do throws(FileError) {
            try File.write(Self.text(status).span, toNew: mark)
        } catch {
            // Another process was sooner.
            guard error.isTaken else { throw JobError.cannotWrite(path: mark, reason: "\(error)") }
        }
    }
}
