import Platform

/// A name under which something will appear: where it leads, and another name beside it for the work
/// until then.
struct OutputName {
    /// The name that was asked for.
    let path: String
    /// What it stands for: where a link leads, whose own name stays, or the name itself.
    let target: String
    let temporaryPath: String
    private let directory: String

    /// - Parameters:
    ///   - plain: the name without the slashes that a folder's may end with.
    ///   - noun: what it cannot be the name of, if it is none.
    init(_ path: String, plain: String, noun: String) throws(ArchiveError) {
        let name = Directory.split(plain).name
        guard !name.isEmpty, name != ".", name != ".." else {
            throw .cannotWrite(path: path, reason: "it names no \(noun)")
        }
        self.path = path
        target = try Self.target(of: plain, path: path)
        let (directory, targetName) = Directory.split(target)
        self.directory = directory
        temporaryPath =
            "\(directory)/\(Self.temporaryPrefix(for: targetName))\(Process.uniqueName)"
    }

    /// Throws if there is no directory for it.
    func checkDirectory() throws(ArchiveError) {
        do {
            _ = try FileStatus(of: directory)
        } catch {
            throw refused(error)
        }
    }

    /// Makes what is worked on under the other name, which goes if the program ends before it is
    /// published.
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

    /// Makes safe on the disk that it has appeared.
    func synchronizeDirectory() throws(FileError) { try Directory(directory).synchronize() }

    private func refused(_ error: FileError) -> ArchiveError {
        .cannotWrite(path: path, reason: "\(directory): \(error)")
    }

    private static func target(of plain: String, path: String) throws(ArchiveError) -> String {
        do {
            return try File.target(of: plain)
        } catch {
            throw .cannotWrite(path: path, reason: "it is a link, and where it leads: \(error)")
        }
    }

    /// What the hidden names of unfinished files begin with; the maker's process id follows.
    private static func temporaryPrefix(for name: String) -> String { ".\(name).covey-" }
}
