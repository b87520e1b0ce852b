import Arguments
import Platform
import TileArchive
import TileService
import Tileset

/// The kind of archive that an output's name asks for.
enum ArchiveOutput {
    private static let endings = ArchiveContainers.all.flatMap { $0.endings }.filter { $0 != "/" }
        .map { ".\($0)" }.joined(separator: " or ")
    /// What help says of outputs.
    static let help =
        "the archive to write: a name that ends in \(endings), or in / for a folder"

    /// The container for a path; throws if its name is not that of a known kind.
    static func container(
        of path: String
    ) throws(UsageError) -> any ArchiveContainer.Type {
        let known = "name a file that ends in \(endings), or a folder with a / at its end"
        if path == "-" {
            throw .contradiction("an archive can't go to standard output", remedy: known)
        }
        if let kind = ArchiveContainers.container(named: path) { return kind }
        // An existing folder needs no slash.
        if (try? FileStatus(of: path))?.kind == .directory { return TileFolder.self }
        let name = path.split(separator: "/").last ?? "/"
        let ending = name.lastIndex(of: ".").map { String(name[$0...]) }
        throw .contradiction(
            ending.map { "\(path): covey does not write \($0) archives" }
                ?? "\(path): its name does not say what kind of archive to write",
            remedy: known)
    }
}

extension ArchiveOutput {
    /// Refuses to write a file beside an archive over the archive or over an input.
    /// - Parameters:
    ///   - option: the option that names the file.
    ///   - outputs: all files of the archive.
    static func check(
        _ option: Option<String?>, _ arguments: ParsedArguments, reads: [String], outputs: [String]
    ) throws {
        guard let file = arguments[option] else { return }
        if file == "-" {
            throw UsageError.contradiction(
                "--\(option.declaration.name) -: a file is needed",
                remedy: "name one; --json prints the report")
        }
        try KeptFiles(reads).check(file)
        try TextFile.checkFolder(of: file)
        guard KeptFiles(outputs).file(at: file) == nil else {
            throw UsageError.contradiction(
                "--\(option.declaration.name) \(file) would replace the archive",
                remedy: "name another file")
        }
    }
}

/// The options for folders of tiles.
enum FolderFlags {
    private static let gzip = Option<Bool>(
        flag: "gzip",
        "for folders: leave tiles gzipped, for hosts that send Content-Encoding: gzip")
    private static let publicURL = Option<String?>(
        "public-url", "URL", "for folders: the public address, for tiles.json and the style")

    static var declarations: [OptionDeclaration] { [gzip.declaration, publicURL.declaration] }

    static func options(
        _ arguments: ParsedArguments, path: String
    ) throws -> FolderOptions {
        if let given = arguments.given(among: [declarations]).first,
            try ArchiveOutput.container(of: path) != TileFolder.self
        {
            throw UsageError.contradiction(
                "--\(given) applies to a folder, and \(path) is a file",
                remedy: "leave it out, or name a folder: -o tiles/")
        }
        var options = FolderOptions()
        options.keepsGzip = arguments[gzip]
        // The page and the documents of the folder, which have its name.
        let name = path.split(separator: "/").last.map(String.init) ?? "tiles"
        let site = StaticSite(name: name, address: arguments[publicURL], mapLibre: .usual)
        options.companions = { try site.files(of: $0) }
        return options
    }
}
