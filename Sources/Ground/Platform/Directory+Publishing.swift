import CFileSystems
import CLibrary

extension Directory {
    /// Exchanges the names of two directories in one step.
    ///
    /// Not every file system can do that; see `FileError.isUnsupported`.
    public static func exchange(_ path: String, _ other: String) throws(FileError) {
        guard unsafe covey_exchange(path, other) == 0 else { throw .last }
    }

    /// Renames a directory to a name that must be free, or that of an empty directory.
    public static func rename(_ path: String, toNew newPath: String) throws(FileError) {
        guard unsafe covey_rename_new(path, newPath) != 0 else { return }
        let error = FileError.last
        guard error.isTaken || error.isUnsupported else { throw error }
        // A plain rename replaces an empty directory, but not one with contents.
        guard unsafe CLibrary.rename(path, newPath) == 0 else {
            throw error.isTaken ? error : .last
        }
    }

    /// Returns when everything in it, at any depth, is safe on the disk.
    ///
    /// It synchronizes the whole file system at once: a million files one by one would take hours.
    public func synchronizeAll() throws(FileError) {
        let file = try File(descriptor: unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        guard covey_sync_file_system(file.descriptor) == 0 else { throw .last }
    }
}

extension FileError {
    /// Whether this file system or kernel does not support the operation.
    public var isUnsupported: Bool {
        [EINVAL, ENOSYS, ENOTSUP].contains { self == .system(code: $0) }
    }
}
