import ArchiveContract
import JSON
import Testing

@testable import TileService

/// The expressions by which maps colour what has a facet.
struct FacetColorTests {
    private typealias Facet = ClusterDescription.Facet

    private static func facet(_ values: [String], _ change: (inout Facet) -> Void = { _ in })
        -> Facet
    {
        var facet = Facet(
            name: "k", attribute: "#k", axes: [Facet.Axis(attribute: "k", values: values)])
        change(&facet)
        return facet
    }

    /// What MapLibre makes of one of the expressions that are used here.
    private static func value(
        _ json: JSONValue, _ properties: [String: JSONValue], _ names: [String: JSONValue] = [:]
    ) -> JSONValue {
        guard let parts = json.asArray, let word = parts.first?.asString else { return json }
        func at(_ index: Int) -> JSONValue { value(parts[index], properties, names) }
        func number(_ index: Int) -> Double { at(index).asNumber ?? .nan }
        switch word {
        case "get": return properties[parts[1].asString ?? ""] ?? .null
        case "var": return names[parts[1].asString ?? ""] ?? .null
        case "length": return .number(Double(at(1).asString?.count ?? 0))
        case "/": return .number(number(1) / number(2))
        case "*": return .number(number(1) * number(2))
        case "==": return .bool(at(1) == at(2) || number(1) == number(2))
        case "max": return .number(parts.indices.dropFirst().map(number).max() ?? .nan)
        case "to-number": return .number(Double(at(1).asString ?? "") ?? .nan)
        case "to-string": return .string(at(1).asString ?? at(1).text())
        case "typeof": return at(1).asNumber != nil ? "number" : "string"
        case "number": return at(1)
        case "slice":
            let text = Array(at(1).asString ?? "")
            return .string(String(text[Int(number(2))..<Int(number(3))]))
        default: return choice(parts, properties, names)
        }
    }

    private static func choice(
        _ parts: [JSONValue], _ properties: [String: JSONValue], _ names: [String: JSONValue]
    ) -> JSONValue {
        func at(_ index: Int) -> JSONValue { value(parts[index], properties, names) }
        func number(_ index: Int) -> Double { at(index).asNumber ?? .nan }
        switch parts[0].asString {
        case "let":
            var names = names
            for index in stride(from: 1, to: parts.count - 1, by: 2) {
                names[parts[index].asString ?? ""] = at(index + 1)
            }
            return value(parts[parts.count - 1], properties, names)
        case "case":
            for index in stride(from: 1, to: parts.count - 1, by: 2) where at(index) == .bool(true)
            {
                return at(index + 1)
            }
            return at(parts.count - 1)
        case "match":
            for index in stride(from: 2, to: parts.count - 1, by: 2) where at(1) == parts[index] {
                return parts[index + 1]
            }
            return parts[parts.count - 1]
        case "step":
            let steps = stride(from: 3, to: parts.count - 1, by: 2).filter {
                number(1) >= number($0)
            }
            return parts[(steps.last ?? 1) + 1]
        default: return .null
        }
    }

    private static let names = (0..<10).map { "v\($0)" }

    @Test(arguments: [1, 2, 8, 9, 10])
    func `a cluster has the colour of its largest count, of equals the first`(count: Int) throws {
        let colors = try #require(
            MarkerColors(largestOf: Self.facet(Array(Self.names.prefix(count)))))
        for largest in 0..<count {
            for isTie in [false, true] where !isTie || largest + 1 < count {
                let counts = (0..<count).map {
                    $0 == largest || isTie && $0 == largest + 1 ? 12 : 3
                }
                let text = counts.map { $0 < 10 ? " \($0)" : "\($0)" }.joined().replacing(
                    " ", with: "0")
                let color = Self.value(colors.ofClusters, ["#k": .string(text)])
                let wanted = largest < 8 ? MarkerColors.palette[largest] : MarkerColors.other
                #expect(color == .string(wanted), "\(text)")
            }
        }
        for (index, name) in Self.names.enumerated() {
            let wanted = index < min(count, 8) ? MarkerColors.palette[index] : MarkerColors.other
            #expect(Self.value(colors.ofPoints, ["k": .string(name)]) == .string(wanted))
        }
    }

    @Test func `points without a value and values beyond those that are told apart are grey`()
        throws
    {
        let facet = Self.facet(["a", "b"]) {
            $0.axes[0].otherValues = 3
            $0.axes[0].hasNone = true
        }
        let colors = try #require(MarkerColors(largestOf: facet))
        for (text, color) in [
            ("9111", MarkerColors.palette[0]), ("1911", MarkerColors.palette[1]),
            ("1191", MarkerColors.other), ("1119", MarkerColors.other),
        ] { #expect(Self.value(colors.ofClusters, ["#k": .string(text)]) == .string(color)) }
        #expect(Self.value(colors.ofPoints, [:]) == .string(MarkerColors.other))
        #expect(Self.value(colors.ofPoints, ["k": 7]) == .string(MarkerColors.other))
    }

    @Test(arguments: [[1.0, 2.5], [1, 2, 3, 4, 5, 6, 7, 8, 9]])
    func `numbers have the colour of what they lie between`(breaks: [Double]) throws {
        let facet = Self.facet((0...breaks.count).map { "\($0)" }) { $0.axes[0].breaks = breaks }
        let colors = try #require(MarkerColors(largestOf: facet))
        for number in [0, 0.99, 1, 2.4, 2.5, 7, 8.5, 100] {
            let index = breaks.filter { $0 <= number }.count
            let wanted = index < 8 ? MarkerColors.palette[index] : MarkerColors.other
            #expect(
                Self.value(colors.ofPoints, ["k": .number(number)]) == .string(wanted), "\(number)")
        }
        #expect(Self.value(colors.ofPoints, ["k": "7"]) == .string(MarkerColors.other))
    }

    @Test func `sums, two attributes, moments and nothing have no largest`() {
        #expect(Self.facet(["a"]).hasLargest && !Self.facet([]).hasLargest)
        for facet in [
            Self.facet(["a"]) { $0.sum = "n" }, Self.facet(["a"]) { $0.axes[0].unit = "month" },
            Self.facet(["a"]) { $0.axes.append($0.axes[0]) },
        ] { #expect(!facet.hasLargest && MarkerColors(largestOf: facet) == nil) }
    }
}
