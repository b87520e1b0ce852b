/// Why a coordinate system cannot be used.
public enum ProjectionError: Error, Equatable, Sendable {
    /// The library is missing, or lacks a function.
    case notInstalled(reason: String)
    /// The library exists, but its database of coordinate systems does not.
    case noDatabase
    case unknown(String)
    /// The system does not locate a pair of coordinates on Earth: heights, or a building's own grid.
    case notOnEarth(name: String)
    case noWay(name: String)
}

extension ProjectionError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notInstalled(let reason): "PROJ, which knows it, cannot be loaded: \(reason)"
        case .noDatabase: "PROJ finds no proj.db, its database of coordinate systems"
        case .unknown(let name): "PROJ does not know \(name)"
        case .notOnEarth(let name): "\(name) does not place a pair of coordinates on the Earth"
        case .noWay(let name): "PROJ knows no way from \(name) to degrees on WGS 84"
        }
    }

    /// What to do about it.
    public var advice: String {
        switch self {
        case .notInstalled:
            "install PROJ (on Debian: apt install libproj25 proj-data), or reproject first: "
                + "ogr2ogr -t_srs EPSG:4326 OUT IN"
        case .noDatabase:
            "install it (on Debian: apt install proj-data), or name its folder in PROJ_LIB"
        case .unknown:
            "write it as EPSG:25832, as well-known text, or as PROJJSON; epsg.io finds numbers"
        case .notOnEarth, .noWay: "name the system of the coordinates with --crs"
        }
    }
}
