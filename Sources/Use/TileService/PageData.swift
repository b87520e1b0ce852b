import CPageData

/// The data of the page besides the archive, as gzip in the program: land, borders and names of
/// countries, glyphs, and MapLibre GL JS if it was there when the program was built.
enum PageData: CaseIterable {
    case land, borders, names, latin, latinExtended, mapScript, mapStyle, mapLicense

    /// The files of MapLibre GL JS.
    static let mapLibre: Set<PageData> = [.mapScript, .mapStyle, .mapLicense]

    /// The font's name in styles.
    static let font = "Open Sans Semibold"

    /// The file's path below the page's other files.
    var path: String {
        switch self {
        case .land: "land.geojson"
        case .borders: "borders.geojson"
        case .names: "names.geojson"
        case .latin: "fonts/\(Self.font)/0-255.pbf"
        case .latinExtended: "fonts/\(Self.font)/256-511.pbf"
        case .mapScript: "maplibre-gl.js"
        case .mapStyle: "maplibre-gl.css"
        case .mapLicense: "maplibre-gl-license.txt"
        }
    }

    /// The compressed file; empty if the program was built without it.
    var packed: [UInt8] {
        let file =
            switch self {
            case .land: PAGE_DATA_LAND
            case .borders: PAGE_DATA_BORDERS
            case .names: PAGE_DATA_NAMES
            case .latin: PAGE_DATA_GLYPHS_0
            case .latinExtended: PAGE_DATA_GLYPHS_256
            case .mapScript: PAGE_DATA_MAPLIBRE_SCRIPT
            case .mapStyle: PAGE_DATA_MAPLIBRE_STYLE
            case .mapLicense: PAGE_DATA_MAPLIBRE_LICENSE
            }
        var count = 0
        guard let bytes = unsafe page_data_bytes(file, &count) else { return [] }
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    }
}
