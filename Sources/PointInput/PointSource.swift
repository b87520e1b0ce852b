/// Where points come from, as the user names it.
public struct PointSource: Sendable, Hashable {
    /// What messages call it.
    public var name: String
    /// The file's path; nil for standard input.
    public var path: String?

    public static func file(_ path: String) -> PointSource { PointSource(name: path, path: path) }

    /// A file that stands for something else, as a download does for its URL.
    public static func file(_ path: String, named name: String) -> PointSource {
        PointSource(name: name, path: path)
    }

    public static let standardInput = PointSource(name: "standard input", path: nil)
}
