/// Reads formats without a reader of their own through GDAL's `ogr2ogr`: shapefiles, KML, spreadsheets, databases.
///
/// It is run, not linked, like `curl`: some eighty formats in a separate process. It outputs GeoJSON in
/// degrees, one object a line, which keeps whole numbers, truth values and moments and is parsed in all
/// threads; a layer without geometries is output as a table, whose columns may have coordinates.
enum GDALReader: PointReader {
    static let format = InputFormat.gdal
    static let fileExtensions = [
        "shp", "kml", "kmz", "gpx", "gml", "osm", "mif", "dxf", "xls", "xlsx", "ods", "zip",
    ]

    static func recognises(_ start: Span<UInt8>) -> Bool {
        for signature in signatures where start.starts(with: signature) { return true }
        let head = start.extracting(first: 1_024)
        if head.extracting(first: 16).contains("OSMHeader") { return true }
        guard head.isXML else { return false }
        for word in words where head.contains(word) { return true }
        return false
    }

    private static let signatures: [[UInt8]] = [
        [0, 0, 0x27, 0x0A],  // a shapefile
        [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1],  // Excel before 2007
        ZipDirectory.signature,
        Array("!table".utf8), Array("Version 300".utf8), Array("VERSION 300".utf8),  // MapInfo
    ]

    /// Words by which an XML file with places is recognized.
    private static let words = ["<kml", "<gpx", "<osm", "opengis.net/gml", "opengis.net/wfs"]

    static func read(_ input: OpenInput, into collector: PointCollector) throws(InputError) {
        // GDAL reads no archive in an archive.
        let isArchive = input.start.starts(with: ZipDirectory.signature)
        if let name = input.nameOfGDAL, !isArchive {
            return try read(name, input, into: collector)
        }
        // GDAL needs random access.
        try input.withPath(in: collector.options.temporaryDirectory) { path throws(InputError) in
            guard isArchive, !GDALSource.hasMapName(path),
                try GDALSource.isMap(path, ZipDirectory(path, of: input.name))
            else { return try readFile(path, input, into: collector) }
            var copy = try InputCopy(
                in: collector.options.temporaryDirectory, of: input.name, ending: ".kmz")
            try copy.append(
                contentsOf: .open(
                    .file(path, named: input.name), isCancelled: collector.options.isCancelled
                ) { _ in })
            try readFile(copy.path, input, into: collector)
            extendLifetime(copy)
        }
    }

    private static func readFile(
        _ path: String, _ input: OpenInput, into collector: PointCollector
    ) throws(InputError) {
        let name = try GDALSource.name(of: path, startingWith: input.start, input: input.name)
        try read(name, input, into: collector)
    }

    private static func read(
        _ name: String, _ input: OpenInput, into collector: PointCollector
    ) throws(InputError) {
        let options = collector.options
        let settings = try GDALSource.settings(for: input, options)
        for layer in try GDALLayer.chosen(of: name, input: input.name, settings, options) {
            let words =
                if case .sql(let query) = options.query {
                    [name, "-sql", query]
                } else {
                    GDALSource.words(for: layer.name, of: name)
                }
            // All digits of attributes and, each by a name of its own, of coordinates; texts in brackets as
            // they are (since GDAL 3.8).
            let features =
                ["-f", "GeoJSONSeq"]
                + [
                    "SIGNIFICANT_FIGURES=17", "COORDINATE_PRECISION=17",
                    "AUTODETECT_JSON_STRINGS=NO",
                ].flatMap { ["-lco", $0] }
            let target = layer.hasGeometry ? features : ["-f", "CSV"]
            let stream = try ProgramStream(
                "ogr2ogr", settings + target + ["/vsistdout/"] + words,
                package: "gdal-bin", name: input.name, isCancelled: options.isCancelled)
            let records = try OpenInput(stream, name: input.name)
            if layer.hasGeometry {
                try GeoJSONReader.read(
                    records, into: collector, declared: layer.hasSystem ? .lonLat : nil)
            } else {
                collector.declare(layer.kinds)
                try CSVReader.read(records, into: collector, moments: layer.moments)
            }
            // What GDAL makes of the rest of a broken file is a part of it.
            if options.tolerance == .none, let error = stream.gdalError {
                throw .ambiguous(
                    input: input.name, problem: error,
                    advice: "get a new copy of it, or read what GDAL can with --skip-invalid")
            }
            try tell(stream.messages, of: layer, to: collector)
        }
    }

    /// Reports GDAL's warnings, except those that are not about the input or not of interest here.
    private static func tell(
        _ messages: [String], of layer: GDALLayer, to collector: PointCollector
    ) throws(InputError) {
        var builder = collector.makeBuilder()
        let expected = [
            "No SRS set on layer", "does not natively support", "does not support open option",
            "does not support layer creation option",
        ]
        for message in messages.prefix(20) where !expected.contains(where: message.contains) {
            builder.note("ogr2ogr: \(message)")
        }
        if let encoding = collector.options.encoding, !layer.takesEncoding {
            builder.note(encoding.unused)
        }
        try collector.collect(&builder)
    }
}

extension Span<UInt8> {
    fileprivate var isXML: Bool {
        starts(with: [UInt8(ascii: "<")]) || starts(with: [0xEF, 0xBB, 0xBF, UInt8(ascii: "<")])
    }
}
