import Platform

/// A name under which something will appear: its target, and another name beside it for the work until then.
struct OutputName {
    /// The requested name.
    let path: String
    /// The target: where a link leads, which stays, or the name itself.
    let target: String
    let temporaryPath: String
    private let directory: String

    /// - Parameters:
    ///   - plain: the name without the slashes that a folder's name may end with.
    ///   - noun: what it should be the name of, for errors.
    init(_ path: String, plain: String, noun: String) throws(ArchiveError) {
        let name = Directory.split(plain).name
        guard !name.isEmpty, name != ".", name != ".." else {
            throw .cannotWrite(path: path, reason: "it is not the name of a \(noun)")
        }
        self.path = path
        target = try Self.target(of: plain, path: path)
        let (directory, targetName) = Directory.split(target)
        self.directory = directory
        temporaryPath =
            "\(directory)/\(Self.temporaryPrefix(for: targetName))\(Process.uniqueName)"
    }

    /// Throws if its directory does not exist.
    func checkDirectory() throws(ArchiveError) {
        do {
            _ = try FileStatus(of: directory)
        } catch {
            throw refused(error)
        }
    }

    /// Creates the work under the other name, which is removed if the program ends before it is published.
    func begin(_ make: (_ path: String) throws(FileError) -> Void) throws(ArchiveError) {
        Leftovers.remove(
            named: Self.temporaryPrefix(for: Directory.split(target).name), in: directory,
            unless: .process)
        do {
            try UnfinishedFiles.begin(temporaryPath) { () throws(FileError) in
                try make(temporaryPath)
            }
        } catch {
            throw refused(error)
        }
    }

    /// Makes the new name durable.
    func synchronizeDirectory() throws(FileError) { try Directory(directory).synchronize() }

    private func refused(_ error: FileError) -> ArchiveError {
        .cannotWrite(path: path, reason: "\(directory): \(error)")
    }

    private static func target(of plain: String, path: String) throws(ArchiveError) -> String {
        do {
            return try File.target(of: plain)
        } catch {
            throw .cannotWrite(
                path: path, reason: "it is a link whose target cannot be used: \(error)")
        }
    }

    /// The prefix of the hidden names of unfinished files; the process id of their writer follows.
    private static func temporaryPrefix(for name: String) -> String { ".\(name).covey-" }
}
