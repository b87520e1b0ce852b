import CFileSystems
import CLibrary

extension Directory {
    /// Gives two directories each other's names in one step.
    ///
    /// Not every file system can do that; see `FileError.isUnsupported`.
    public static func exchange(_ path: String, _ other: String) throws(FileError) {
        guard unsafe covey_exchange(path, other) == 0 else { throw .last }
    }

    /// Gives a directory a name that nothing else may have yet, but for an empty directory.
    public static func rename(_ path: String, toNew newPath: String) throws(FileError) {
        guard unsafe covey_rename_new(path, newPath) != 0 else { return }
        let error = FileError.last
        guard error.isTaken || error.isUnsupported else { throw error }
        // A plain rename replaces an empty directory, and nothing that has something in it.
        guard unsafe CLibrary.rename(path, newPath) == 0 else {
            throw error.isTaken ? error : .last
        }
    }

    /// Returns when all that lies in it, however deep, is safe on the disk.
    ///
    /// One call for the whole file system: to sync a million files one by one takes hours.
    public func synchronizeAll() throws(FileError) {
        let file = try File(descriptor: unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        guard covey_sync_file_system(file.descriptor) == 0 else { throw .last }
    }
}

extension FileError {
    /// This file system, or this kernel, cannot do it.
    public var isUnsupported: Bool {
        [EINVAL, ENOSYS, ENOTSUP].contains { self == .system(code: $0) }
    }
}
