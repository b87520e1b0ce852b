import Points

/// Which of a document's extensions hold numbers and nothing else.
///
/// GPX doesn't say what its extensions hold, so it is inferred over the whole document, as for the
/// columns of a table. A code with a zero in front, `007`, is no number in this sense.
struct GPXKinds {
    private var isNumber: [String: Bool] = [:]

    init() {}

    /// Walks over a whole document. Where that fails, reading will fail at the same place.
    init(of input: OpenInput) {
        var document = GPXDocument(input)
        while let event = try? document.next() {
            switch event {
            case .end: return
            case .value(let name, let text, isExtension: true):
                if isNumber[name] != false { isNumber[name] = Self.number(text) != nil }
            default: break
            }
        }
    }

    func isNumber(_ name: String, isExtension: Bool) -> Bool {
        isExtension ? isNumber[name] ?? false : GPXDocument.numbers.contains(name)
    }

    /// The value of a text that is a number as JSON spells them: no zeros in front, no `inf`.
    static func number(_ text: [UInt8]) -> AttributeValue? { NumberText.value(of: text.span) }
}
