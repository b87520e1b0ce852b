/// The kinds of archives. This is the only place that lists them.
public enum ArchiveContainers {
    public static let all: [any ArchiveContainer.Type] = [
        MBTiles.self, PMTiles.self, TileFolder.self,
    ]

    /// The kind of a file with these first bytes; nil if there is none.
    public static func container(of start: [UInt8]) -> (any ArchiveContainer.Type)? {
        start.isEmpty ? nil : all.first { $0.mayStart(with: start) }
    }

    /// The kind of an output with this name, by its ending.
    public static func container(named path: String) -> (any ArchiveContainer.Type)? {
        if path.hasSuffix("/") { return all.first { $0.endings.contains("/") } }
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        return all.first { $0.endings.contains { name.lowercased().hasSuffix("." + $0) } }
    }
}
