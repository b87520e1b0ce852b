import Arguments
import HTTP
import TileService

/// Why nothing can be served.
enum ServeError: Error, CustomStringConvertible {
    case nothingToServe([String])
    case noPlaceForBuilds(directory: String, reason: String)

    var description: String {
        switch self {
        case .noPlaceForBuilds(let directory, let reason):
            "\(directory): points cannot be built there: \(reason)\n"
                + "name another directory with the variable TMPDIR"
        case .nothingToServe(let paths):
            "there is no archive to serve in \(paths.joined(separator: ", "))\n"
                + "covey serve takes archives (MBTiles, PMTiles, folders of tiles), files of points, and folders of either"
        }
    }
}

extension PublicAddress: ArgumentValue {
    public init(argument: String) throws(ValueError) {
        guard let address = PublicAddress(argument) else {
            throw ValueError(expected: "an address such as https://tiles.example.org/base")
        }
        self = address
    }

    public var description: String { text }
}

extension AddressBlock: ArgumentValue {
    public init(argument: String) throws(ValueError) {
        guard let block = AddressBlock(argument) else {
            throw ValueError(expected: "an address such as 10.0.0.7, or a block such as 10.0.0.0/8")
        }
        self = block
    }
}

extension BasemapAddress: ArgumentValue {
    public init(argument: String) throws(ValueError) {
        guard let address = BasemapAddress(argument) else {
            throw ValueError(expected: "the web address of a MapLibre style")
        }
        self = address
    }
}

extension MapLibreSource: ArgumentValue {
    public init(argument: String) throws(ValueError) {
        guard let source = MapLibreSource(argument) else {
            throw ValueError(expected: "a folder with maplibre-gl.js and .css, or a web address")
        }
        self = source
    }
}

extension ServiceOptions.MissingTile: ArgumentChoice {}
