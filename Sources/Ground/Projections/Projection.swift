/// The way from a coordinate system to degrees of longitude and latitude on WGS 84, by PROJ.
///
/// It owns PROJ's handles, which are one thread's alone: each worker makes a projection of its own.
///
///     let projection = try Projection(from: "EPSG:25832")
///     projection.lonLat(691_000, 5_334_000)  // 11.567, 48.131
@safe
public final class Projection {
    /// What PROJ calls the system.
    public let name: String
    /// Where the system is meant to be used, if it says so.
    public let area: Area?
    /// The file without which places are less exact than they could be, if PROJ lacks it.
    public let missingGrid: String?

    private let library: Library
    private let context: OpaquePointer
    private let operation: OpaquePointer

    /// A box of degrees, which may cross the antimeridian, and its name.
    public struct Area: Equatable, Sendable {
        public var west, south, east, north: Double
        public var name: String
    }

    /// - Parameter definition: an authority and a number, well-known text, PROJJSON or a PROJ string.
    public init(from definition: String) throws(ProjectionError) {
        library = try Library.shared.get()
        guard let context = unsafe library.makeContext() else { fatalError("out of memory") }
        unsafe self.context = context
        let found: Found
        do throws(ProjectionError) {
            found = try unsafe Self.find(definition, in: context, library)
        } catch {
            _ = unsafe library.destroyContext(context)
            throw error
        }
        (name, area, missingGrid) = (found.name, found.area, found.missingGrid)
        unsafe operation = found.operation
    }

    deinit {
        _ = unsafe library.destroy(operation)
        _ = unsafe library.destroyContext(context)
    }

    /// Where an easting and a northing (or a longitude and a latitude) are; nil where the system has no
    /// such place.
    public func lonLat(_ x: Double, _ y: Double) -> (longitude: Double, latitude: Double)? {
        var (x, y) = (x, y)
        // Forward is 1.
        let count = unsafe library.transform(operation, 1, &x, 8, 1, &y, 8, 1, nil, 0, 0, nil, 0, 0)
        return count == 1 && x.isFinite && y.isFinite ? (x, y) : nil
    }
}

// MARK: - Making one

extension Projection {
    @safe
    private struct Found {
        var name: String
        var area: Area?
        var missingGrid: String?
        var operation: OpaquePointer
    }

    private static func find(
        _ definition: String, in context: OpaquePointer, _ library: Library
    ) throws(ProjectionError) -> Found {
        _ = unsafe library.setLogLevel(context, 0)
        guard unsafe library.databasePath(context) != nil else { throw .noDatabase }
        guard let given = unsafe library.create(context, definition) else {
            throw .unknown(definition.count > 60 ? "\(definition.prefix(60))…" : definition)
        }
        // Of a compound system the first part is on the ground, the other tells heights.
        let isCompound = unsafe library.type(given) == Kind.compound
        let part = isCompound ? unsafe library.part(context, given, 0) : nil
        if unsafe part != nil { _ = unsafe library.destroy(given) }
        let system = unsafe part ?? given
        defer { _ = unsafe library.destroy(system) }
        let name = unsafe library.name(system).map { unsafe String(cString: $0) } ?? definition
        guard Kind.onEarth.contains(unsafe library.type(system)) else {
            throw .notOnEarth(name: name)
        }
        let degrees = unsafe library.create(context, "EPSG:4326")
        defer { _ = unsafe library.destroy(degrees) }
        // On another planet, say. What follows does not look whether there is one.
        let way = unsafe library.connect(context, system, degrees, nil, nil)
        guard let way = unsafe way else { throw .noWay(name: name) }
        // Axes as files have them, whatever the authority says: east first.
        let operation = unsafe library.normalize(context, way)
        _ = unsafe library.destroy(way)
        guard let operation = unsafe operation else { throw .noWay(name: name) }
        return unsafe Found(
            name: name, area: area(of: system, in: context, library),
            missingGrid: missingGrid(from: system, to: degrees, in: context, library),
            operation: operation)
    }

    /// PROJ's numbers of kinds (`PJ_TYPE`).
    private enum Kind {
        static let compound: CInt = 16
        /// Geographic in two and three dimensions, projected, bound to a way of its own, and (as of PROJ
        /// 9.2, the last number) projected from a projected one.
        static let onEarth: Set<CInt> = [12, 13, 15, 19, 31]
    }

    private static func area(
        of system: OpaquePointer, in context: OpaquePointer, _ library: Library
    ) -> Area? {
        var area = Area(west: 0, south: 0, east: 0, north: 0, name: "")
        var name: Library.Text?
        let isFound = unsafe library.areaOfUse(
            context, system, &area.west, &area.south, &area.east, &area.north, &name)
        // −1000 says that a side is unknown.
        guard isFound != 0, area.west >= -180, area.south >= -90 else { return nil }
        area.name = unsafe name.map { unsafe String(cString: $0) } ?? "its area"
        return area
    }

    /// The grid of the way that PROJ would go first if it had all grids.
    private static func missingGrid(
        from system: OpaquePointer, to degrees: OpaquePointer?, in context: OpaquePointer,
        _ library: Library
    ) -> String? {
        let search = unsafe library.makeSearch(context, nil)
        defer { unsafe library.destroySearch(search) }
        // Grids that are missing are ignored, and an area need only be touched.
        unsafe library.setGridUse(context, search, 2)
        unsafe library.setCriterion(context, search, 1)
        let list = unsafe library.operations(context, system, degrees, search)
        defer { unsafe library.destroyList(list) }
        guard let list = unsafe list else { return nil }
        let count = unsafe library.listCount(list)
        let best = count > 0 ? unsafe library.listed(context, list, 0) : nil
        guard let best = unsafe best else { return nil }
        defer { _ = unsafe library.destroy(best) }
        let gridCount = unsafe library.gridCount(context, best)
        for index in 0..<gridCount {
            var name: Library.Text?
            var isThere: CInt = 1
            _ = unsafe library.grid(
                context, best, index, &name, nil, nil, nil, nil, nil, &isThere)
            if isThere == 0, let name = unsafe name { return unsafe String(cString: name) }
        }
        return nil
    }
}
