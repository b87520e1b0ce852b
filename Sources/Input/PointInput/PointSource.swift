import Platform
import Points

/// A source of points, as the user names it.
public struct PointSource: Sendable, Hashable {
    /// Its name in messages.
    public var name: String
    /// The file's path or an http or https URL; nil for standard input.
    public var path: String?

    /// Attributes of all its points, from the names of its folders; nil is no value.
    var values: [String: AttributeValue?] = [:]

    /// The URL that must be downloaded before it can be read.
    var url: String? { path.flatMap { WebTransfer.isAddress($0) ? $0 : nil } }

    /// A source for a file or a URL.
    public static func file(_ path: String) -> PointSource {
        PointSource(name: GDALSource.shown(path), path: path)
    }

    /// A file that represents another source, as a download does for its URL.
    public static func file(_ path: String, named name: String) -> PointSource {
        PointSource(name: name, path: path)
    }

    /// Whether a name is a file's, not that of a pipe, of a URL or of a database.
    public static func isFile(_ name: String) -> Bool {
        name != "-" && !name.contains("://") && !GDALSource.isName(name)
    }

    /// Whether there is a file at the path, an archive of which it names a file, or files that match it.
    public static func isReadable(_ path: String) -> Bool {
        File.isReadable(path) || ZipDirectory.split(path) != nil
            || (isPattern(path) && (try? paths(matching: path).isEmpty) == false)
    }

    /// The files that are read for it: its own, the archive that contains it, or those that belong to it.
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
