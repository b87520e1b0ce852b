import Geometry
import Points

/// Areas with names, which say of each point in which of them it lies.
///
///     options.regions = try Regions(reading: .file("states.geojson"), name: "name", options: options)
public final class Regions: Sendable {
    /// The attribute of points that has the region's name.
    public static let attribute = "region"

    /// In the order of the file; areas of one name are one region.
    public let names: [String]
    private let bands: RegionBands

    /// Reads the areas of a file of any format that has them.
    /// - Parameters:
    ///   - name: the attribute that holds the name of each.
    ///   - options: how it is read: threads, where temporary files go.
    public init(
        reading source: PointSource, name attribute: String, options: InputOptions
    ) throws(InputError) {
        var own = InputOptions()
        own.pointsFrom = .outline
        own.tellsOddPlaces = false
        own.threads = options.threads
        own.temporaryDirectory = options.temporaryDirectory
        own.isCancelled = options.isCancelled
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

    /// The number of the region in which a place lies; of several the area that comes first counts. A place on
    /// a border belongs to the area east of it, or north.
    func index(of place: LonLat) -> Int? { bands.region(at: FixedPlace(place)) }
}

/// Degrees in whole units of 10⁻⁷, some centimetre: areas that share a border share it to the last bit, and no
/// sum is rounded, so that each place is on one side of it.
struct FixedPlace: Equatable, Sendable {
    var x: Int64
    var y: Int64

    init(x: Int64, y: Int64) {
        self.x = x
        self.y = y
    }

    /// - Parameter place: finite, and of few turns.
    init(_ place: LonLat) {
        x = Int64((place.longitude * 1e7).rounded())
        y = Int64((place.latitude * 1e7).rounded())
    }

    /// The same place from 180 degrees west on. The pole, north of which nothing is, belongs to what is below it.
    var home: FixedPlace {
        FixedPlace(
            x: x - Self.turn * (x + Self.turn / 2).floored(by: Self.turn),
            y: min(y, Self.turn / 4 - 1))
    }

    static let turn: Int64 = 3_600_000_000
}

/// How many points lie in each region.
public struct RegionTally: Equatable, Sendable {
    public var regions: [String: Int]
    public var outside: Int

    public init(regions: [String: Int], outside: Int) {
        self.regions = regions
        self.outside = outside
    }

    /// Regions without a point.
    public var empty: [String] { regions.filter { $0.value == 0 }.map(\.key).sorted() }

    mutating func add(_ other: RegionTally) {
        regions.merge(other.regions, uniquingKeysWith: +)
        outside += other.outside
    }

    /// Both together; nil stands for none.
    package static func sum(_ one: RegionTally?, _ other: RegionTally?) -> RegionTally? {
        guard var sum = one, let other else { return one ?? other }
        sum.add(other)
        return sum
    }
}
