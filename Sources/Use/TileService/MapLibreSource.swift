import Platform

/// Where the preview page gets MapLibre GL JS from.
public enum MapLibreSource: Equatable, Sendable {
    /// The program itself, if MapLibre was there when it was built.
    case own
    /// A folder with `maplibre-gl.js` and `maplibre-gl.css`, served along with the page.
    case folder(String)
    /// An address below which those two files are.
    case address(String)

    /// The version that the page is made for, from a public network of copies.
    public static let pinned = MapLibreSource.address(
        "https://unpkg.com/maplibre-gl@5.3.0/dist")

    /// The program's copy, or else the pinned address.
    public static var usual: MapLibreSource { PageData.mapScript.packed.isEmpty ? .pinned : .own }

    /// Reads a user's text: an address, or a folder with the files.
    public init?(_ text: String) {
        if let address = PublicAddress(text.replacing("@", with: "-")) {
            // The `@` of a version is allowed in a path, but in no other part that the reader checks.
            guard !address.path.isEmpty else { return nil }
            self = .address(String(text.last == "/" ? text.dropLast() : text[...]))
        } else {
            guard Self.hasFiles(text) else { return nil }
            self = .folder(text)
        }
    }

    private static func hasFiles(_ folder: String) -> Bool {
        fileNames.allSatisfy { FileStatus(ofFileAt: "\(folder)/\($0)") != nil }
    }

    static let fileNames = ["maplibre-gl.js", "maplibre-gl.css"]

    /// The text before the files' names on a page whose own files are at `assets`.
    func base(orAt assets: String) -> String {
        switch self {
        case .own, .folder: assets
        case .address(let address): address + "/"
        }
    }

    /// The origin that the page's policy must allow; nil if it is the server's own.
    var foreignOrigin: String? {
        guard case .address(let address) = self else { return nil }
        return address.split(separator: "/").prefix(2).joined(separator: "//")
    }
}
