import Basics
import Geometry
import HTTP

/// A request's parameters, parsed strictly.
struct Query {
    private let items: [Request.QueryItem]

    init(_ items: [Request.QueryItem]) { self.items = items }

    private func text(_ name: String) throws(ServiceError) -> String? {
        guard let item = items.first(where: { $0.name == name }) else { return nil }
        guard let text = percentDecoded(item.value.utf8) else {
            throw .badParameter(name, expected: "properly escaped")
        }
        return text
    }

    /// A whole number within a range.
    func number(
        _ name: String, in range: ClosedRange<Int64>
    ) throws(ServiceError) -> Int64? {
        guard let text = try text(name) else { return nil }
        guard let number = Int64(text), range.contains(number) else {
            throw .badParameter(
                name, expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// The version of an archive, as events name it.
    func version(_ name: String) throws(ServiceError) -> String? { try text(name) }

    func degrees(_ name: String, within most: Double) throws(ServiceError) -> Double? {
        guard let text = try text(name) else { return nil }
        guard let number = Double(decimal: text), number.magnitude <= most else {
            throw .badParameter(name, expected: "degrees from \(-most) to \(most)")
        }
        return number
    }

    /// `west,south,east,north`; if west is greater than east, the box crosses the antimeridian.
    func box(_ name: String) throws(ServiceError) -> LonLatBox? {
        guard let text = try text(name) else { return nil }
        do { return try LonLatBox(text) } catch {
            throw .badParameter(name, expected: error.expected)
        }
    }

    func required<Value>(_ name: String, _ value: Value?) throws(ServiceError) -> Value {
        guard let value else { throw .badParameter(name, expected: "given") }
        return value
    }
}

extension Double {
    /// Reads a number in decimal notation; not the hexadecimal numbers and `nan` that Swift also accepts.
    init?(decimal text: some StringProtocol) {
        guard text.utf8.allSatisfy({ $0.isASCIIDigit || "+-.eE".utf8.contains($0) }) else {
            return nil
        }
        self.init(text)
    }
}
