import Platform
import Points

/// Where points come from, as the user names it.
public struct PointSource: Sendable, Hashable {
    /// What messages call it.
    public var name: String
    /// The file's path or a URL of http or https; nil for standard input.
    public var path: String?

    /// Attributes of all its points, which the names of its folders say.
    var values: [String: AttributeValue] = [:]

    /// What must be downloaded before it can be read.
    var url: String? { path.flatMap { WebTransfer.isAddress($0) ? $0 : nil } }

    /// A file, or what a URL leads to.
    public static func file(_ path: String) -> PointSource {
        PointSource(name: GDALSource.shown(path), path: path)
    }

    /// A file that stands for something else, as a download does for its URL.
    public static func file(_ path: String, named name: String) -> PointSource {
        PointSource(name: name, path: path)
    }

    /// Whether a name is that of a file, and not of a pipe, of something on the web or of a database.
    public static func isFile(_ name: String) -> Bool {
        name != "-" && !name.contains("://") && !GDALSource.isName(name)
    }

    /// Whether there is a file of that path, an archive that it names a file of, or files that match it.
    public static func isReadable(_ path: String) -> Bool {
        File.isReadable(path) || ZipDirectory.split(path) != nil
            || (isPattern(path) && !Directory.paths(matching: path).isEmpty)
    }

    /// The files that are read for it: its own, the archive that it lies in, or those that belong to it.
    public var files: [String] {
        guard let path else { return [] }
        if let members = try? members(), members != [self] {
            return [path] + members.flatMap(\.files)
        }
        if let archive = ZipDirectory.split(path)?.archive { return [path, archive] }
        guard let dot = path.lastIndex(of: "."),
            let endings = GDALSource.companions[path[dot...].dropFirst().lowercased()]
        else { return [path] }
        return [path]
            + endings.flatMap { [$0, $0.uppercased()] }.map { path[...dot] + $0 }
            .filter(File.isReadable)
    }

    public static let standardInput = PointSource(name: "standard input", path: nil)
}
