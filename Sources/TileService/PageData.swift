import CPageData

/// What the page draws with beside the archive: land, borders and names of countries, and glyphs, as
/// gzip, part of the program.
enum PageData: CaseIterable {
    case land, borders, names, latin, latinExtended

    /// The font's name in styles.
    static let font = "Open Sans Semibold"

    /// The path below the page's other files.
    var path: String {
        switch self {
        case .land: "land.geojson"
        case .borders: "borders.geojson"
        case .names: "names.geojson"
        case .latin: "fonts/\(Self.font)/0-255.pbf"
        case .latinExtended: "fonts/\(Self.font)/256-511.pbf"
        }
    }

    var type: String {
        switch self {
        case .land, .borders, .names: "application/geo+json"
        case .latin, .latinExtended: "application/x-protobuf"
        }
    }

    /// The file, packed.
    var packed: [UInt8] {
        let file =
            switch self {
            case .land: PAGE_DATA_LAND
            case .borders: PAGE_DATA_BORDERS
            case .names: PAGE_DATA_NAMES
            case .latin: PAGE_DATA_GLYPHS_0
            case .latinExtended: PAGE_DATA_GLYPHS_256
            }
        var count = 0
        guard let bytes = unsafe page_data_bytes(file, &count) else { return [] }
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    }
}
