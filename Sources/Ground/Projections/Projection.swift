/// A transformation by PROJ from a coordinate system to degrees of longitude and latitude on WGS 84.
///
/// It owns PROJ's handles, which only one thread may use: each worker makes its own projection.
///
///     let projection = try Projection(from: "EPSG:25832")
///     projection.lonLat(691_000, 5_334_000)  // 11.567, 48.131
@safe
public final class Projection {
    /// PROJ's name of the system.
    public let name: String
    /// The area for which the system is intended, if it has one.
    public let area: Area?
    /// The grid file that PROJ lacks and without which positions are less exact than they could be.
    public let missingGrid: String?

    private let library: Library
    private let context: OpaquePointer
    private let operation: OpaquePointer

    /// A named box of degrees, which may cross the antimeridian.
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

    /// The position of an easting and a northing (or a longitude and a latitude); nil if the system
    /// has no such position.
    public func lonLat(_ x: Double, _ y: Double) -> (longitude: Double, latitude: Double)? {
        var (x, y) = (x, y)
        // The direction 1 is forward.
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
        let unknown = ProjectionError.unknown(
            definition.count > 60 ? "\(definition.prefix(60))…" : definition)
        guard let given = unsafe library.create(context, definition) else { throw unknown }
        // PROJ takes part of a name for the whole: "foo" for "Amersfoort".
        guard unsafe Self.isNamed(library.name(given), definition) else {
            _ = unsafe library.destroy(given)
            throw unknown
        }
        // The first part of a compound system is horizontal, the other has heights.
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
        // It may be on another planet, for example. The calls below do not accept nil.
        let way = unsafe library.connect(context, system, degrees, nil, nil)
        guard let way = unsafe way else { throw .noWay(name: name) }
        // Axes in the order that files use, whatever the authority says: east first.
        let operation = unsafe library.normalize(context, way)
        _ = unsafe library.destroy(way)
        guard let operation = unsafe operation else { throw .noWay(name: name) }
        return unsafe Found(
            name: name, area: area(of: system, in: context, library),
            missingGrid: missingGrid(from: system, to: degrees, in: context, library),
            operation: operation)
    }

    /// Whether a definition that is only a name is the name of what was found, with other spaces or capitals at most.
    private static func isNamed(_ found: UnsafePointer<CChar>?, _ definition: String) -> Bool {
        guard !definition.contains(where: { ":+[{=".contains($0) }) else { return true }
        let letters = { (name: String) in name.lowercased().filter { $0.isLetter || $0.isNumber } }
        return unsafe found.map { unsafe letters(String(cString: $0)) } == letters(definition)
    }

    /// PROJ's numbers of kinds of systems (`PJ_TYPE`).
    private enum Kind {
        static let compound: CInt = 16
        /// Geographic in two and three dimensions, projected, bound to a transformation of its own,
        /// and (the last number, from PROJ 9.2) derived from a projected one.
        static let onEarth: Set<CInt> = [12, 13, 15, 19, 31]
    }

    private static func area(
        of system: OpaquePointer, in context: OpaquePointer, _ library: Library
    ) -> Area? {
        var area = Area(west: 0, south: 0, east: 0, north: 0, name: "")
        var name: Library.Text?
        let isFound = unsafe library.areaOfUse(
            context, system, &area.west, &area.south, &area.east, &area.north, &name)
        // −1000 marks an unknown side.
        guard isFound != 0, area.west >= -180, area.south >= -90 else { return nil }
        area.name = unsafe name.map { unsafe String(cString: $0) } ?? "its area"
        return area
    }

    /// The missing grid of the transformation that PROJ would prefer if it had all grids.
    private static func missingGrid(
        from system: OpaquePointer, to degrees: OpaquePointer?, in context: OpaquePointer,
        _ library: Library
    ) -> String? {
        let search = unsafe library.makeSearch(context, nil)
        defer { unsafe library.destroySearch(search) }
        // Missing grids are ignored in the search, and areas need only intersect.
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
