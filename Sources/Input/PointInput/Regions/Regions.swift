import Geometry
import Points

/// Named areas, by which each point gets the name of the one that contains it.
///
///     options.regions = try Regions(reading: .file("states.geojson"), name: "name", options: options)
public final class Regions: Sendable {
    /// The attribute of points with the region's name.
    public static let attribute = "region"

    /// The regions in the order of the file; areas with the same name are one region.
    public let names: [String]
    private let bands: RegionBands

    /// Reads the areas of a file in any format that has them.
    /// - Parameters:
    ///   - name: the attribute with the name of each area.
    ///   - options: the options of reading: threads, the folder of temporary files.
    public init(
        reading source: PointSource, name attribute: String, options: InputOptions
    ) throws(InputError) {
        var own = options.forLookUp
        own.pointsFrom = .outline
        let (table, report) = try PointTable.read([source], options: own)
        guard table.count > 0, report.outlines.count == table.count, report.rejectedCount == 0
        else {
            throw .ambiguous(
                input: source.name, problem: "is to hold regions, and not all of it is areas",
                advice: "\(report.account); leave the other records out of the file")
        }
        guard table.attributes.keys.names.contains(attribute) else {
            throw .noSuchColumn(
                input: source.name, column: attribute, available: table.attributes.keys.names)
        }
        var numbers: [String: Int] = [:]
        var names: [String] = []
        var areas: [RegionBands.Area] = []
        for (row, rings) in report.outlines.enumerated() {
            guard let name = table.attributes.value(of: attribute, row: row)?.spelling else {
                throw .ambiguous(
                    input: source.name,
                    problem: "has an area without \(attribute), number \(row + 1)",
                    advice: "give it one, or name another attribute with --region-name")
            }
            let number = numbers[name, default: names.count]
            if number == names.count {
                names.append(name)
                numbers[name] = number
            }
            areas.append(RegionBands.Area(region: number, rings: rings))
        }
        self.names = names
        bands = RegionBands(areas)
    }

    /// The number of the region that contains a place; of several the first area's. A place on a
    /// border belongs to the area east or north of it.
    func index(of place: LonLat) -> Int? { bands.region(at: FixedPlace(place)) }
}

/// Degrees in whole units of 10⁻⁷, about a centimetre: areas with a common border share it to the
/// last bit, and no sum is rounded, so that each place is on one side of it.
struct FixedPlace: Equatable, Sendable {
    var x: Int64
    var y: Int64
}

extension FixedPlace {
    /// - Parameter place: a finite place, within a few turns.
    init(_ place: LonLat) {
        x = Int64((place.longitude * 1e7).rounded())
        y = Int64((place.latitude * 1e7).rounded())
    }

    /// The same place with its longitude in −180 … 180. The pole belongs to what is south of it, as nothing is north.
    var home: FixedPlace {
        FixedPlace(
            x: x - Self.turn * (x + Self.turn / 2).floored(by: Self.turn),
            y: min(y, Self.turn / 4 - 1))
    }

    static let turn: Int64 = 3_600_000_000
}

/// The number of points in each region.
public struct RegionTally: Equatable, Sendable {
    public var regions: [String: Int]
    public var outside: Int

    public init(regions: [String: Int], outside: Int) {
        self.regions = regions
        self.outside = outside
    }

    /// Regions without a point.
    public var empty: [String] { regions.filter { $0.value == 0 }.map(\.key).sorted() }

    /// The sum of both; nil counts as empty.
    package static func sum(_ one: RegionTally?, _ other: RegionTally?) -> RegionTally? {
        guard var sum = one, let other else { return one ?? other }
        sum.regions.merge(other.regions, uniquingKeysWith: +)
        sum.outside += other.outside
        return sum
    }
}
