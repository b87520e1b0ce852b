import Points

/// Values as text.
enum ExactText {
    static func text(of value: AttributeValue) -> String {
        switch value {
        case .text(let text): text
        case .number(let number): text(of: number)
        case .integer(let integer): String(integer)
        case .unsigned(let unsigned): String(unsigned)
        case .bool(let bool): String(bool)
        }
    }

    /// The shortest decimal that stands for the number, whole numbers without a fraction.
    static func text(of number: Double) -> String {
        Int64(exactly: number).map(String.init) ?? String(number)
    }
}
