import Platform

/// GDAL's names of inputs.
enum GDALSource {
    /// Whether a name is one of GDAL's, not a file's: a database (`PG:dbname=places`), a service, a
    /// path in one of GDAL's file systems, or a folder that is a database.
    static func isName(_ name: String) -> Bool {
        if name.hasPrefix("/vsi") { return true }
        if (try? FileStatus(of: name)) != nil { return isFolder(name) }
        guard let colon = name.firstIndex(of: ":"), let first = name.utf8.first else {
            return false
        }
        let word = name[..<colon]
        return word.utf8.count > 1 && (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first)
            && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }

    /// Whether a name is that of a folder that GDAL reads as a database.
    static func isFolder(_ name: String) -> Bool {
        (name.hasSuffix(".gdb") || name.hasSuffix(".gdb/"))
            && (try? FileStatus(of: name))?.kind == .directory
    }

    /// The name in messages, without passwords.
    static func shown(_ name: String) -> String {
        var shown = ""
        var rest = name[...]
        while let found = ["password=", "pwd="].compactMap({ rest.range(ofASCII: $0) })
            .min(by: { $0.lowerBound < $1.lowerBound })
        {
            shown += rest[..<found.upperBound] + "…"
            rest = rest[found.upperBound...].drop { !" ,;&".contains($0) }
        }
        return WebTransfer.shown(shown + rest)
    }

    /// Extensions of the files beside a file with some extension that contain parts of it.
    static let companions = [
        "mif": ["mid"], "shp": ["cpg", "dbf", "prj", "shx"], "tab": ["dat", "id", "map"],
    ]

    /// Whether a file of this name has parts in files beside it, which are called like it up to the extension.
    static func hasCompanions(_ name: String) -> Bool {
        name.split(separator: ".").last.map { companions[$0.lowercased()] != nil } ?? false
    }

    /// Drivers that read only a file's contents and no files that it refers to, and those that write the output.
    private static let drivers: Set = [
        "CSV", "DXF", "ESRI Shapefile", "GeoJSONSeq", "GML", "GPX", "KML", "LIBKML", "MapInfo File",
        "Memory", "ODS", "OpenFileGDB", "OSM", "XLS", "XLSX",
    ]

    /// The options of GDAL. Spreadsheets have their columns' names in the first row, even if all
    /// cells are texts; nothing is written beside an input.
    ///
    /// The contents of a file or a folder, whatever its name, may refer to others: files of this machine, addresses,
    /// databases. Drivers that follow such references are available only if the user names GDAL.
    static func settings(
        for input: OpenInput, _ options: InputOptions
    ) throws(InputError) -> [String] {
        let usual =
            ["XLSX", "XLS", "ODS"].flatMap { ["--config", "OGR_\($0)_HEADERS", "FORCE"] }
            + ["-oo", "WRITE_GFS=NO"]
            + (options.encoding.map { ["-oo", "ENCODING=\($0.name)"] } ?? [])
        let isName = input.isNameOfGDAL && !(input.path.map(isFolder) ?? false)
        if isName || options.format == .gdal { return usual }
        let stream = try ProgramStream(
            "ogrinfo", ["--formats"], package: "gdal-bin", name: input.name,
            isCancelled: options.isCancelled)
        // `  KML -vector- (rw+v): Keyhole Markup Language (KML)`
        let known = (try stream.text(upTo: 1 << 20) ?? "").split(separator: "\n").compactMap {
            line in
            line.firstRange(of: " -").map { String(line[..<$0.lowerBound]).trimmingSpaces }
        }
        guard known.contains("ESRI Shapefile") else {
            throw .cannotOpen(input: input.name, reason: "ogrinfo does not list what it reads")
        }
        let skipped = known.filter { !drivers.contains($0) }.joined(separator: ",")
        return usual + ["--config", "OGR_SKIP", skipped]
    }

    /// The words by which GDAL's programs read a layer; a name with a hyphen in front would be an option.
    static func words(for layer: String, of source: String) -> [String] {
        guard layer.hasPrefix("-") else { return [source, layer] }
        let escaped = layer.replacing("\"", with: "\\\"")
        return [source, "-dialect", "OGRSQL", "-sql", "SELECT * FROM \"\(escaped)\""]
    }

    /// The name by which GDAL opens a file, whatever its extension.
    static func name(
        of path: String, startingWith start: [UInt8], input: String
    ) throws(InputError) -> String {
        guard start.starts(with: ZipDirectory.signature) else { return path }
        let archive = try ZipDirectory(path, of: input)
        if let whole = name(ofWhole: path, archive) { return whole }
        return try archive.only(path, of: input)?.nameOfGDAL ?? "/vsizip/{\(path)}"
    }

    /// The name by which GDAL opens an archive that is itself a file of points.
    static func name(ofWhole path: String, _ archive: ZipDirectory) -> String? {
        let names = archive.members.map(\.name)
        if isMap(path, archive) || names.contains("xl/workbook.xml") { return path }
        return names.contains("content.xml") ? "ODS:\(path)" : nil
    }

    /// Whether an archive is a KMZ whose documents refer to each other. One that is alone is read like any file in an
    /// archive: GDAL finds more of its attributes then.
    static func isMap(_ path: String, _ archive: ZipDirectory) -> Bool {
        let names = archive.members.map(\.name)
        return names.count { $0.lowercased().hasSuffix(".kml") } != 1
            && (names.contains("doc.kml") || hasMapName(path))
    }

    /// Whether GDAL knows a KMZ by this name.
    static func hasMapName(_ path: String) -> Bool { path.lowercased().hasSuffix(".kmz") }
}

extension Substring {
    /// The range of a lower-case ASCII text, in any case.
    fileprivate func range(ofASCII text: String) -> Range<Index>? {
        indices.first { self[$0...].lowercased().hasPrefix(text) }.map {
            $0..<index($0, offsetBy: text.count)
        }
    }
}
