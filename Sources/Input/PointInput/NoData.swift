/// Values that mean none, such as `NA` or -9999, however a number is spelled.
public struct NoData: Sendable {
    private let texts: Set<String>
    private let numbers: Set<Double>

    public init(_ values: [String] = []) {
        texts = Set(values)
        numbers = Set(values.compactMap(NumberText.double))
    }

    var isEmpty: Bool { texts.isEmpty }

    func contains(_ text: String) -> Bool {
        if texts.contains(text) { return true }
        guard !numbers.isEmpty, let number = NumberText.double(text) else { return false }
        return numbers.contains(number)
    }
}
