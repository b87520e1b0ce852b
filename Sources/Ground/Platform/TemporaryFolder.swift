/// A new temporary folder, which only this user may read and which is removed with its owner.
///
/// If the program is killed, the next `removeLeftovers` in the same directory removes it.
public final class TemporaryFolder: Sendable {
    public let path: String
    /// Kept open for its lock, which marks the folder as in use.
    private let folder: OpenDirectory

    public init(in directory: String) throws(FileError) {
        while true {
            let path = TemporaryFile.newPath(in: directory)
            try UnfinishedFiles.begin(path) { () throws(FileError) in
                try Directory.create(path, permissions: 0o700)
            }
            if let folder = try Self.locked(path) {
                (self.path, self.folder) = (path, folder)
                return
            }
            UnfinishedFiles.remove(path)
        }
    }

    /// The locked folder; nil if another program removed it as a leftover before it was locked.
    private static func locked(_ path: String) throws(FileError) -> OpenDirectory? {
        do throws(FileError) {
            let folder = try OpenDirectory(path)
            _ = folder.lock(.shared)
            let found = try FileStatus(of: path, followingLinks: false)
            return try found.identity == folder.status().identity ? folder : nil
        } catch {
            guard error.isMissing else { throw error }
            return nil
        }
    }

    /// Makes the folder again if something has removed it, as programs do that clean up what is old.
    public func renew() throws(FileError) {
        do throws(FileError) {
            try Directory.create(path, permissions: 0o700)
        } catch {
            guard error.isTaken else { throw error }
        }
    }

    deinit { UnfinishedFiles.remove(path) }
}
