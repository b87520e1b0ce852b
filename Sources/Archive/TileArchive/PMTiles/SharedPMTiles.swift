import Platform

/// A PMTiles archive that several processes write together, on any machines. They work in a hidden folder beside
/// it, whose name they all know. The last process gives the archive its name.
///
///     let archive = try SharedPMTiles(path: path, job: job, share: (1, 4), files: 2, replacesExisting: false)
///     if !archive.isWhole { … try archive.write(bytes, at: offset, ofFile: 0) … try archive.finish() }
///     if archive.isWhole { _ = try archive.publish() }
public final class SharedPMTiles {
    private let path: String
    private let folder: String
    private let share: (task: Int, count: Int)
    /// The files that are being written; empty if all parts of the work were done before.
    private var files: [SharedFile] = []

    /// - Parameters:
    ///   - path: the path of the archive.
    ///   - job: identifies the work.
    ///   - share: which part of the work this is.
    ///   - count: how many files the archive has.
    ///   - replacesExisting: whether an existing archive may be replaced.
    public init(
        path: String, job: String, share: (task: Int, count: Int), files count: Int,
        replacesExisting: Bool
    ) throws(ArchiveError) {
        // Throws if the work could not be finished.
        _ = try OutputFile(path: path, replacesExisting: replacesExisting)
        let path = (try? File.target(of: path)) ?? path
        let (directory, name) = Directory.split(path)
        self.path = path
        self.share = share
        folder = "\(directory)/.\(name).job-\(job)"
        try reporting { () throws(FileError) in
            _ = try OpenDirectory(directory).directory(making: ".\(name).job-\(job)")
            try locked { () throws(FileError) in
                // If all is done, the files may have their names already.
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

    /// Runs `body` in one process at a time. Without locks, or if the folder is gone, it runs without that
    /// protection.
    private func locked(_ body: () throws(FileError) -> Void) throws(FileError) {
        let lock = try? OpenDirectory(folder)
        lock?.waitForLock()
        defer { extendLifetime(lock) }
        try body()
    }

    private func part(_ file: Int) -> String { "\(folder)/\(file)" }

    /// The status of a file in the folder.
    public func status(ofFile file: Int) -> FileStatus? { try? FileStatus(of: part(file)) }

    /// Whether all parts of the work are done.
    public var isWhole: Bool {
        (1...share.count).allSatisfy {
            (try? FileStatus(of: "\(folder)/done-\($0)-of-\(share.count)")) != nil
        }
    }

    /// Writes bytes of one of the files in their place.
    public func write(
        _ bytes: Span<UInt8>, at offset: Int, ofFile file: Int
    ) throws(ArchiveError) {
        try reporting { () throws(FileError) in try files[file].file.write(bytes, at: offset) }
    }

    /// Marks this part of the work as done.
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

    /// Gives the files their names, unless another process has done so.
    /// - Returns: whether the archive got its name here.
    public func publish() throws(ArchiveError) -> Bool {
        let outputs = PMTiles.outputs(at: path)
        var isOurs = false
        try reporting { () throws(FileError) in
            try locked { () throws(FileError) in
                // The clusters come first: an archive without them would be incomplete, while they mean nothing
                // alone.
                for file in outputs.indices.reversed() {
                    do throws(FileError) {
                        if let replaced = FileStatus(ofFileAt: outputs[file]) {
                            try File.setAccess(as: replaced, of: part(file))
                        }
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

    /// Removes the folder of the work.
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
