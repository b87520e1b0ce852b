import Geometry
import Projections

// Coordinates in systems that PROJ converts.

extension PointBuilder {
    /// Sets the coordinate system that the input declares for what follows; nil leaves it to the options.
    ///
    ///     try builder.declare(CoordinateSystem(declared: layer.wellKnownText))
    public mutating func declare(_ declared: CoordinateSystem?) throws(InputError) {
        use(declared: declared)
        guard crs.kind == .other, projection == nil else { return }
        // Each takes memory and time, and a hostile input could declare all of them.
        let limit = 64
        guard projections.count < limit else {
            throw .tooManyCRS(input: blank.input, limit: limit)
        }
        do throws(ProjectionError) { try openProjection() } catch {
            throw .unsupportedCRS(input: blank.input, name: crs.name, error)
        }
    }

    /// Sets a system that was checked before, unless the options say what is used if it cannot be.
    mutating func use(declared: CoordinateSystem?) {
        if let declared, let wanted = options.crs, declared != wanted, projections[declared] == nil,
            (try? declared.check(in: "")) == nil
        {
            note(
                "declares that it is in \(declared.name), which cannot be used, so it is read as "
                    + "--crs \(wanted.name) says")
            return use(declared: nil)
        }
        declaresCRS = declared != nil
        let system = declared ?? options.crs ?? .lonLat
        if let declared, let wanted = options.crs, declared != wanted {
            note(
                "declares that it is in \(declared.name), so --crs \(wanted.name) is not used; "
                    + "if that is wrong, correct it: \(Self.correction(wanted.name))")
        }
        if let remark = system.remark { note(remark) }
        guard system != crs else { return }
        project()
        crs = system
        projection = projections[system]
    }

    /// What corrects the system that an input declares: no option does.
    private static func correction(_ name: String) -> String { "ogr2ogr -a_srs \(name) OUT IN" }

    /// What says that coordinates are in a system.
    func remedy(_ name: String) -> String {
        declaresCRS ? Self.correction(name) : "--crs \(name)"
    }

    /// The position of coordinates in degrees; nil rejects the record.
    mutating func projected(_ x: Double, _ y: Double) -> WorldPoint? {
        if projection == nil { try? openProjection() }
        guard let place = projection?.lonLat(x, y), place.latitude.magnitude <= 90,
            place.longitude.magnitude <= 540
        else {
            refuse(
                .badCoordinates,
                "has the coordinates \(x), \(y), not valid in \(crs.name)\(zoneHint(x, y) ?? "")"
            )
            return nil
        }
        if !isFarOut, let area = projection?.area, area.isFar(place.longitude, place.latitude) {
            isFarOut = true
            note(
                "has points far from where \(crs.name) is used (\(area.name)); either they are in "
                    + "another system, or x and y are swapped")
        }
        return WorldPoint(x: place.longitude, y: place.latitude)
    }

    mutating func openProjection() throws(ProjectionError) {
        let made = try Projection(from: crs.definition)
        projection = made
        projections[crs] = made
        if let grid = made.missingGrid {
            note(
                "is in \(made.name), for which PROJ lacks the grid \(grid); without it positions "
                    + "are some metres off (get it: projsync --file \(grid))")
        }
    }
}

extension CoordinateSystem {
    /// Checks that positions in it can be read; throws the reason if not.
    func check(in input: String) throws(InputError) {
        guard kind == .other else { return }
        do throws(ProjectionError) { _ = try Projection(from: definition) } catch {
            throw .unsupportedCRS(input: input, name: name, error)
        }
    }
}

extension Projection.Area {
    /// Whether a position is so far outside that it is a mistake. Systems are used beyond their
    /// borders: all of Norway in a zone that is 6° wide.
    func isFar(_ longitude: Double, _ latitude: Double) -> Bool {
        let width = east - west + (east < west ? 360 : 0)
        let margin = max(2.5 * width, 10)
        // Counted eastwards from the west side, once around.
        let steps = (longitude - west + margin) / 360
        let fromWest = 360 * (steps - steps.rounded(.down))
        return latitude < south - 10 || latitude > north + 10
            || width + 2 * margin < 360 && fromWest > width + 2 * margin
    }
}
