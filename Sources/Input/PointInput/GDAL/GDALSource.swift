import Platform

/// What GDAL calls an input.
enum GDALSource {
    /// Whether a name is one of GDAL's and no file's: a database (`PG:dbname=places`), a service, a
    /// place in a file system of its own, or a folder that is a database.
    static func isName(_ name: String) -> Bool {
        if name.hasPrefix("/vsi") { return true }
        let status = try? FileStatus(of: name)
        if let status { return status.kind == .directory && name.hasSuffix(".gdb") }
        guard let colon = name.firstIndex(of: ":"), let first = name.utf8.first else {
            return false
        }
        let word = name[..<colon]
        return word.utf8.count > 1 && (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first)
            && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }

    /// What messages call it: no password is shown.
    static func shown(_ name: String) -> String {
        var shown = ""
        var rest = name[...]
        while let found = ["password=", "pwd="].compactMap({ rest.range(ofASCII: $0) })
            .min(by: { $0.lowerBound < $1.lowerBound })
        {
            shown += rest[..<found.upperBound] + "…"
            rest = rest[found.upperBound...].drop { !" ,;&".contains($0) }
        }
        // As in postgresql://user:password@host.
        guard let at = rest.firstIndex(of: "@"), let scheme = rest.range(ofASCII: "://"),
            let colon = rest[scheme.upperBound...].firstIndex(of: ":"), colon < at
        else { return shown + rest }
        return shown + rest[...colon] + "…" + rest[at...]
    }

    /// Endings of the files that lie beside a file of some ending and hold parts of it.
    static let companions = [
        "mif": ["mid"], "shp": ["cpg", "dbf", "prj", "shx"], "tab": ["dat", "id", "map"],
    ]

    /// Drivers that read what a file holds and nothing that it names, and those that write for us.
    private static let drivers: Set = [
        "CSV", "DXF", "ESRI Shapefile", "GeoJSONSeq", "GML", "GPX", "KML", "LIBKML", "MapInfo File",
        "Memory", "ODS", "OpenFileGDB", "OSM", "XLS", "XLSX",
    ]

    /// Spreadsheets name their columns in their first row, even where all cells are texts; nothing is
    /// written beside an input.
    ///
    /// Whatever a file is called, its contents may be a description of others: of files of this machine,
    /// addresses, databases. Drivers that follow such descriptions are for those who ask for GDAL by name.
    static func settings(
        for input: OpenInput, _ options: InputOptions
    ) throws(InputError) -> [String] {
        let usual =
            ["XLSX", "XLS", "ODS"].flatMap { ["--config", "OGR_\($0)_HEADERS", "FORCE"] }
            + ["-oo", "WRITE_GFS=NO"]
        if input.isNameOfGDAL || options.format == .gdal { return usual }
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

    /// The name of a file by which GDAL opens it, whatever its ending.
    static func name(
        of path: String, startingWith start: [UInt8], input: String
    ) throws(InputError) -> String {
        guard start.starts(with: ZipDirectory.signature), !path.lowercased().hasSuffix(".kmz")
        else {
            return path
        }
        let names = try ZipDirectory(path, of: input).members.map(\.name)
        if names.contains("xl/workbook.xml") { return path }
        if names.contains("content.xml") { return "ODS:\(path)" }
        // Shapefiles are opened by their folder, as there may be several; all else by its name.
        let wanted = names.first { name in
            GDALReader.fileExtensions.contains { name.lowercased().hasSuffix("." + $0) }
        }
        var parts = wanted?.split(separator: "/") ?? []
        if parts.last?.lowercased().hasSuffix(".shp") ?? false { parts.removeLast() }
        return (["/vsizip/{\(path)}"] + parts.map(String.init)).joined(separator: "/")
    }
}

extension Substring {
    /// Where a text of small letters of ASCII stands, in whatever case.
    fileprivate func range(ofASCII text: String) -> Range<Index>? {
        indices.first { self[$0...].lowercased().hasPrefix(text) }.map {
            $0..<index($0, offsetBy: text.count)
        }
    }
}
