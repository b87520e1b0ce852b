/// The kinds of archives that there are: the one place that lists them.
public enum ArchiveContainers {
    public static let all: [any ArchiveContainer.Type] = [
        MBTiles.self, PMTiles.self, TileFolder.self,
    ]

    /// The kind that a file's first bytes tell of; none where there are none.
    public static func container(
        of start: [UInt8], among known: [any ArchiveContainer.Type] = all
    ) -> (any ArchiveContainer.Type)? {
        start.isEmpty ? nil : known.first { $0.mayStart(with: start) }
    }

    /// The kind that the name of an output asks for by its ending.
    public static func container(
        named path: String, among known: [any ArchiveContainer.Type] = all
    ) -> (any ArchiveContainer.Type)? {
        if path.hasSuffix("/") { return known.first { $0.endings.contains("/") } }
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        return known.first { $0.endings.contains { name.lowercased().hasSuffix("." + $0) } }
    }
}
