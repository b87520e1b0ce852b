import Platform

/// A PMTiles archive that several processes put together, on whatever machines: they work in a hidden folder beside it,
/// which all of them know by its name. Who is last gives the archive its name.
public final class SharedPMTiles: LaidArchive {
    private let path: String
    private let folder: String
    private let replacesExisting: Bool
    private let share: String

    /// - Parameters:
    ///   - job: what tells the work from any other.
    ///   - path: the archive's.
    ///   - share: which part of the work this is.
    ///   - replacesExisting: whether there may be an archive.
    public init(
        path: String, job: String, share: (task: Int, count: Int), replacesExisting: Bool
    ) throws(ArchiveError) {
        // Refuses what could not be finished.
        _ = try OutputFile(path: path, replacesExisting: replacesExisting)
        let (directory, name) = Directory.split(path)
        self.path = path
        folder = "\(directory)/.\(name).job-\(job)"
        self.replacesExisting = replacesExisting
        self.share = "\(share.task)-of-\(share.count)"
        try reporting {
            () throws(FileError) in
            do throws(FileError) {
                try Directory.create(folder)
            } catch {
                guard error.isTaken else { throw error }
            }
        }
    }

    private func reporting<Result>(
        _ body: () throws(FileError) -> Result
    ) throws(ArchiveError) -> Result {
        do throws(FileError) {
            return try body()
        } catch {
            throw ArchiveError(writing: path, error)
        }
    }

    private func part(_ file: Int) -> String { "\(folder)/\(file)" }

    private func open(_ file: Int) throws(FileError) -> File {
        do throws(FileError) {
            return try File(creating: part(file))
        } catch {
            guard error.isTaken else { throw error }
            return try File(writing: part(file))
        }
    }

    public func write(
        _ bytes: Span<UInt8>, at offset: Int, ofFile file: Int
    ) throws(ArchiveError) {
        try reporting { () throws(FileError) in try open(file).write(bytes, at: offset) }
    }

    /// Says that this part of the work is done, and where all are, gives the files their names.
    public func finish(files count: Int) throws(ArchiveError) {
        try reporting { () throws(FileError) in
            for file in 0..<count { try open(file).synchronize() }
            do throws(FileError) {
                try File(creating: "\(folder)/done-\(share)").synchronize()
            } catch {
                guard error.isTaken else { throw error }
            }
        }
    }

    /// Whether all parts of the work are done.
    public func isWhole(of count: Int) -> Bool {
        (1...count).allSatisfy {
            (try? FileStatus(of: "\(folder)/done-\($0)-of-\(count)")) != nil
        }
    }

    /// Gives the files their names. Two processes may do so at once.
    /// - Returns: whether it was this one.
    public func publish(files count: Int) throws(ArchiveError) -> Bool {
        let outputs = PMTiles.outputs(at: path)
        // The clusters first: an archive without them is no archive, but they are none alone.
        for file in (0..<count).reversed() {
            do throws(FileError) {
                try File.rename(part(file), to: outputs[file])
            } catch {
                guard error.isMissing else { throw ArchiveError(writing: path, error) }
                return false
            }
        }
        try reporting { () throws(FileError) in
            try Directory(Directory.split(path).directory).synchronize()
        }
        try? Directory.removeTree(folder)
        return true
    }
}
