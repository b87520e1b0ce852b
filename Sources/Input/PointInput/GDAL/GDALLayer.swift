/// A layer of a source that GDAL opens, as `ogrinfo` describes it.
package struct GDALLayer: Equatable {
    var name: String
    var geometry: String
    var count: Int?
    /// Whether it has a coordinate system.
    package var hasSystem = true
    /// The kinds of the columns of texts and of truth values, which look like numbers in a table.
    package var kinds: [String: AttributeKind] = [:]
    /// The columns of dates and moments, which are also ones of texts.
    package var moments: Set<String> = []
    /// Whether its texts have the encoding that the options name.
    var takesEncoding = true

    package init(name: String, geometry: String = "Unknown (any)", count: Int? = nil) {
        (self.name, self.geometry, self.count) = (name, geometry, count)
    }

    var hasGeometry: Bool { geometry != "None" }
    private var mayHoldPoints: Bool {
        geometry.contains("Point") || geometry.contains("Unknown")
            || geometry.contains("Collection")
    }

    /// The layers to read: those that the options name, otherwise the only one with points. Folders
    /// of KML are also layers, and are read one after another.
    static func chosen(
        of source: String, input: String, _ settings: [String], _ options: InputOptions
    ) throws(InputError) -> [GDALLayer] {
        var words = settings + ["-ro", "-so", "-noextent"]
        switch options.query {
        case .sql(let query): words += ["-sql", query, source]
        case .table(let name): words += ["-nocount"] + GDALSource.words(for: name, of: source)
        case nil: words += ["-al", source]
        }
        let stream = try ProgramStream(
            "ogrinfo", words, package: "gdal-bin", name: input, isCancelled: options.isCancelled)
        guard let text = try stream.text(upTo: 1 << 26) else {
            throw .malformed(
                input: input, location: "ogrinfo", problem: "has more layers than any that is meant"
            )
        }
        var layers = layers(in: text)
        let driver = driver(in: text)
        for index in layers.indices {
            // To GDAL all that a CSV file holds is text.
            if driver == "CSV" { layers[index].kinds = [:] }
            layers[index].takesEncoding = ["ESRI Shapefile", "MapInfo File"].contains(driver)
        }
        if options.query != nil, let first = layers.first { return [first] }
        let full = layers.filter { $0.count != 0 }
        guard !full.isEmpty else {
            throw stream.gdalError.map { .cannotOpen(input: input, reason: $0) }
                ?? .empty(input: input)
        }
        // Without the option to take points of them, lines and areas are read only if there is
        // nothing else, so that they are reported.
        let takesAll = options.pointsFrom != nil
        let candidates =
            [
                full.filter { $0.hasGeometry && (takesAll || $0.mayHoldPoints) },
                full.filter(\.hasGeometry), full,
            ]
            .first { !$0.isEmpty } ?? full
        if candidates.count == 1 || text.prefix(1_000).contains("KML'") { return candidates }
        throw .ambiguous(
            input: input, problem: "\(candidates.count) of its layers may have points",
            advice: "choose one with --table: "
                + candidates.prefix(40).map(\.name).joined(separator: ", "))
    }

    /// The layers in the output of `ogrinfo -so`.
    package static func layers(in text: String) -> [GDALLayer] {
        var layers: [GDALLayer] = []
        var previous = ""
        // A name may have several lines.
        var isInName = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if ["Metadata", "Geometry"].contains(where: line.hasPrefix) { isInName = false }
            if line.hasPrefix("Layer name: ") {
                layers.append(GDALLayer(name: String(line.dropFirst(12))))
                isInName = true
            } else if let last = layers.indices.last {
                if isInName { layers[last].name += "\n\(line)" }
                if line.hasPrefix("Geometry: ") {
                    layers[last].geometry = String(line.dropFirst(10))
                }
                if line.hasPrefix("Feature Count: ") {
                    layers[last].count = Int(line.dropFirst(15))
                }
                if let (column, kind, isMoment) = column(in: line) {
                    layers[last].kinds[column] = kind
                    if isMoment { layers[last].moments.insert(column) }
                }
                if previous.hasPrefix("Layer SRS WKT"), line == "(unknown)" {
                    layers[last].hasSystem = false
                }
            }
            previous = line
        }
        return layers
    }

    /// The name and the kind of a column of texts, moments or truth values: `Code: String (0.0)`.
    private static func column(in line: String) -> (String, AttributeKind, isMoment: Bool)? {
        for (type, kind) in [
            ("String", AttributeKind.text), ("Date", .text), ("DateTime", .text),
            ("Integer(Boolean)", .bool),
        ] {
            if let range = line.ranges(of: ": \(type) (").last {
                return (String(line[..<range.lowerBound]), kind, type.hasPrefix("Date"))
            }
        }
        return nil
    }

    /// A date or a moment as other formats spell it: `2020/01/02 03:04:05.5+01` is `2020-01-02T03:04:05.5+01:00`.
    package static func moment(_ text: String) -> String {
        let parts = text.split(separator: " ", maxSplits: 1)
        guard let day = parts.first.map({ String($0).replacing("/", with: "-") }) else {
            return text
        }
        guard parts.count == 2 else { return day }
        let time = parts[1].prefix { !"+-".contains($0) }
        let zone = parts[1].dropFirst(time.count)
        if zone.isEmpty { return "\(day)T\(time)" }
        let minutes = zone.dropFirst(3).drop { $0 == ":" }
        let isZero = zone.allSatisfy { "+-0:".contains($0) }
        return "\(day)T\(time)"
            + (isZero ? "Z" : "\(zone.prefix(3)):\(minutes.isEmpty ? "00" : minutes)")
    }

    /// The driver that `ogrinfo` names before the layers.
    private static func driver(in text: String) -> Substring? {
        let head = text.prefix(1_000)
        return head.firstRange(of: "using driver `").map {
            head[$0.upperBound...].prefix { $0 != "'" }
        }
    }
}
