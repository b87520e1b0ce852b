import ArchiveContract
import Geometry
import JSON
import SQLite

extension ArchiveMetadata {
    /// The contents of the metadata table, and its faults.
    static func read(
        from database: borrowing Database
    ) throws(SQLiteError) -> (ArchiveMetadata, [ArchiveWarning]) {
        let columns = try database.integer(
            """
            SELECT count(*) FROM pragma_table_info('metadata') WHERE lower(name) IN ('name', 'value')
            """)
        guard columns == 2 else { return (ArchiveMetadata(name: ""), [.noMetadata]) }
        var statement = try database.prepare("SELECT name, value FROM metadata")
        var rows: [Row] = []
        var tooLong: [ArchiveWarning] = []
        var room = mostBytes
        // No archive has this many; a view may generate them without end.
        while rows.count + tooLong.count < mostRows, try statement.step() {
            let bytes = statement.byteCount(at: 0) + statement.byteCount(at: 1)
            guard bytes <= room else {
                let name = statement.text(at: 0)?.prefix(40) ?? ""
                tooLong.append(.tooLong(row: String(name), bytes: bytes))
                continue
            }
            guard let name = statement.text(at: 0), let value = statement.text(at: 1) else {
                continue
            }
            room -= bytes
            rows.append(Row(name, value))
        }
        var reading = MetadataReading(rows: rows)
        return (reading.metadata(), reading.warnings + tooLong)
    }

    private static var mostRows: Int { 10_000 }
}

/// Turns rows into metadata and notes what does not fit.
package struct MetadataReading {
    private var values: [String: String] = [:]
    package private(set) var warnings: [ArchiveWarning] = []

    package init(rows: [ArchiveMetadata.Row]) {
        for row in rows {
            if values[row.name] == nil {
                values[row.name] = row.value
            } else {
                warnings.append(.repeated(row: row.name))
            }
        }
    }

    package mutating func metadata() -> ArchiveMetadata {
        var metadata = ArchiveMetadata(name: required("name") ?? "")
        metadata.format = required("format") ?? "pbf"
        metadata.bounds = parsed("bounds", LonLatBox.init(text:))
        if let center = parsed("center", Center.init(text:)) {
            metadata.center = center.position
            metadata.centerZoom = center.zoom
        }
        metadata.minZoom = parsed("minzoom", Self.zoom)
        metadata.maxZoom = parsed("maxzoom", Self.zoom)
        dropTurnedZooms(of: &metadata)
        metadata.type = take("type")
        metadata.version = take("version")
        metadata.description = take("description")
        metadata.attribution = take("attribution")
        metadata.generator = take("generator")
        metadata.generatorOptions = take("generator_options")
        metadata.tilesHash = take("agg_tiles_hash")
        metadata.covey = parsed(ClusterDescription.rowName) { try? JSONValue(parsing: $0) }
        readJSON(into: &metadata)
        // How rows are counted is said of a container, and not of what is in it.
        _ = take("scheme")
        metadata.others = values
        return metadata
    }

    /// Drops a range of zooms that ends before it begins.
    private mutating func dropTurnedZooms(of metadata: inout ArchiveMetadata) {
        guard let least = metadata.minZoom, let most = metadata.maxZoom, least > most else {
            return
        }
        warnings.append(.garbled(row: "maxzoom", value: "\(most), and minzoom is \(least)"))
        (metadata.minZoom, metadata.maxZoom) = (nil, nil)
    }

    private mutating func readJSON(into metadata: inout ArchiveMetadata) {
        let text = values["json"]
        guard let json = parsed("json", { (try? JSONValue(parsing: $0))?.asObject }) else {
            if text == nil, metadata.format == "pbf" { warnings.append(.missing(row: "json")) }
            return
        }
        metadata.tileStats = json["tilestats"]
        for layer in json["vector_layers"]?.asArray ?? [] {
            if let layer = VectorLayer(layer) {
                metadata.vectorLayers.append(layer)
            } else {
                warnings.append(.garbled(row: "json", value: layer.text()))
            }
        }
    }

    private mutating func take(_ name: String) -> String? { values.removeValue(forKey: name) }

    private mutating func required(_ name: String) -> String? {
        let value = take(name)
        if value == nil { warnings.append(.missing(row: name)) }
        return value
    }

    private mutating func parsed<Value>(
        _ name: String, _ parse: (String) -> Value?
    ) -> Value? {
        guard let text = take(name) else { return nil }
        let value = parse(text)
        if value == nil { warnings.append(.garbled(row: name, value: text)) }
        return value
    }

    private static func zoom(_ text: String) -> UInt8? {
        UInt8(text).flatMap { $0 <= TileID.deepestZoom ? $0 : nil }
    }
}

private struct Center {
    var position: LonLat
    var zoom: UInt8?

    init?(text: String) {
        guard let numbers = [Double](list: text), (2...3).contains(numbers.count),
            abs(numbers[0]) <= 180, abs(numbers[1]) <= 90
        else { return nil }
        position = LonLat(longitude: numbers[0], latitude: numbers[1])
        // Some programs write fractions here, and the specification does not forbid them.
        if numbers.count == 3, (0...31).contains(numbers[2]) { zoom = UInt8(numbers[2]) }
    }
}

extension LonLatBox {
    fileprivate init?(text: String) {
        guard let numbers = [Double](list: text), numbers.count == 4,
            abs(numbers[0]) <= 180, abs(numbers[2]) <= 180,
            (-90...90).contains(numbers[1]), (numbers[1]...90).contains(numbers[3])
        else { return nil }
        self.init(west: numbers[0], south: numbers[1], east: numbers[2], north: numbers[3])
    }
}

extension [Double] {
    /// Numbers separated by commas; nil if any part is not a finite number.
    fileprivate init?(list: String) {
        var numbers: [Double] = []
        for part in list.split(separator: ",", omittingEmptySubsequences: false) {
            let digits = part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
            guard let number = Double(String(digits)), number.isFinite else { return nil }
            numbers.append(number)
        }
        self = numbers
    }
}
