import Platform

/// A PMTiles archive that several processes put together, on whatever machines: they work in a hidden folder beside it,
/// which all of them know by its name. The last one gives the archive its name.
///
///     let archive = try SharedPMTiles(path: path, job: job, share: (1, 4), files: 2, replacesExisting: false)
///     if !archive.isWhole { … try archive.write(bytes, at: offset, ofFile: 0) … try archive.finish() }
///     if archive.isWhole { _ = try archive.publish() }
public final class SharedPMTiles {
    private let path: String
    private let folder: String
    private let share: (task: Int, count: Int)
    /// The files that are worked on; none where all parts of the work were done before.
    private var files: [SharedFile] = []

    /// - Parameters:
    ///   - path: the archive's.
    ///   - job: what tells the work from any other.
    ///   - share: which part of the work this is.
    ///   - count: how many files the archive has.
    ///   - replacesExisting: whether there may be an archive.
    public init(
        path: String, job: String, share: (task: Int, count: Int), files count: Int,
        replacesExisting: Bool
    ) throws(ArchiveError) {
        // Refuses what could not be finished.
        _ = try OutputFile(path: path, replacesExisting: replacesExisting)
        let (directory, name) = Directory.split(path)
        self.path = path
        self.share = share
        folder = "\(directory)/.\(name).job-\(job)"
        try reporting { () throws(FileError) in
            _ = try OpenDirectory(directory).directory(making: ".\(name).job-\(job)")
            try locked { () throws(FileError) in
                // Where all is done, files may have their names by now.
                if isWhole { return }
                for file in 0..<count { files.append(try SharedFile(part(file))) }
            }
        }
    }

    private func reporting(_ body: () throws(FileError) -> Void) throws(ArchiveError) {
        do throws(FileError) {
            try body()
        } catch {
            throw ArchiveError(writing: path, error)
        }
    }

    /// Does what no two processes may do at once. Where there are no locks, or no folder any more, it is done all the same.
    private func locked(_ body: () throws(FileError) -> Void) throws(FileError) {
        let lock = try? OpenDirectory(folder)
        lock?.waitForLock()
        defer { extendLifetime(lock) }
        try body()
    }

    private func part(_ file: Int) -> String { "\(folder)/\(file)" }

    /// What is known of a file, whatever name it has.
    public func status(ofFile file: Int) -> FileStatus? { try? FileStatus(of: part(file)) }

    /// Whether all parts of the work are done.
    public var isWhole: Bool {
        (1...share.count).allSatisfy {
            (try? FileStatus(of: "\(folder)/done-\($0)-of-\(share.count)")) != nil
        }
    }

    /// Writes bytes of one of the files where they belong.
    public func write(
        _ bytes: Span<UInt8>, at offset: Int, ofFile file: Int
    ) throws(ArchiveError) {
        try reporting { () throws(FileError) in try files[file].file.write(bytes, at: offset) }
    }

    /// Says that this part of the work is done.
    public func finish() throws(ArchiveError) {
        try reporting { () throws(FileError) in
            for file in files { try file.file.synchronize() }
            do throws(FileError) {
                try File(creating: "\(folder)/done-\(share.task)-of-\(share.count)").synchronize()
            } catch {
                guard error.isTaken else { throw error }
            }
        }
    }

    /// Gives the files their names, unless another process has.
    /// - Returns: whether the archive got its name here.
    public func publish() throws(ArchiveError) -> Bool {
        let outputs = PMTiles.outputs(at: path)
        var isOurs = false
        try reporting { () throws(FileError) in
            try locked { () throws(FileError) in
                // The clusters first: an archive without them is no archive, but they are none alone.
                for file in outputs.indices.reversed() {
                    do throws(FileError) {
                        try File.rename(part(file), to: outputs[file])
                        isOurs = file == 0
                    } catch {
                        guard error.isMissing else { throw error }
                    }
                }
            }
            try Directory(Directory.split(path).directory).synchronize()
        }
        removeFolder()
        return isOurs
    }

    /// Removes what is worked in.
    public func removeFolder() { try? Directory.removeTree(folder) }
}

/// A file that several processes write.
private final class SharedFile {
    let file: File

    init(_ path: String) throws(FileError) {
        do throws(FileError) {
            file = try File(creating: path)
        } catch {
            guard error.isTaken else { throw error }
            file = try File(writing: path)
        }
    }
}
