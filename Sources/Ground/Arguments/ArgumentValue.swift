/// A type that can be read from a word of the command line.
public protocol ArgumentValue: Sendable {
    init(argument: String) throws(ValueError)
}

/// Why a word can't be read: what it should have been, such as "a whole number".
public struct ValueError: Error, Equatable {
    public let expected: String

    public init(expected: String) { self.expected = expected }
}

extension String: ArgumentValue {
    public init(argument: String) { self = argument }
}

extension Int: ArgumentValue {
    public init(argument: String) throws(ValueError) {
        guard let value = Int(argument) else { throw ValueError(expected: "a whole number") }
        self = value
    }
}

extension Double: ArgumentValue {
    public init(argument: String) throws(ValueError) {
        guard let value = Double(argument), value.isFinite else {
            throw ValueError(expected: "a number")
        }
        self = value
    }
}

/// A choice among words: any enum of strings that lists its cases.
public protocol ArgumentChoice: ArgumentValue, CaseIterable, RawRepresentable,
    CustomStringConvertible
where RawValue == String {}

extension ArgumentChoice {
    /// All words, in the order of the cases.
    static var words: [String] { allCases.map(\.rawValue) }

    public init(argument: String) throws(ValueError) {
        guard let value = Self(rawValue: argument) else {
            throw ValueError(expected: "one of \(Self.words.joined(separator: ", "))")
        }
        self = value
    }

    public var description: String { rawValue }
}
