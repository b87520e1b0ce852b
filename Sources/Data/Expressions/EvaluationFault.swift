/// A fault that stops the evaluation of an expression for one feature.
///
/// It is small and cheap to throw, because irregular data causes many.
public enum EvaluationFault: Error, Hashable, Sendable {
    case wrongType(expected: ExpressionType, found: ExpressionType)
    /// Two values that have no order: `["<", 1, "a"]`.
    case notComparable(ExpressionType, ExpressionType)
    case indexOutOfBounds(Double, count: Int)
    /// No input of `to-number` can be converted to a number.
    case notNumeric
    /// The input of a ramp is NaN, which is not between any stops.
    case notANumber
    /// No input of an array assertion is an array of the asserted kind.
    case wrongElements
}

extension EvaluationFault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .wrongType(let expected, let found):
            "expected \(expected.inWords), found \(found.inWords)"
        case .notComparable(let left, let right):
            "\(left.inWords) and \(right.inWords) have no order"
        case .indexOutOfBounds(let index, let count):
            "no element \(ExpressionValue.text(of: index)) in an array of \(count)"
        case .notNumeric: "the value cannot be converted to a number"
        case .notANumber: "the input of the ramp is not a number"
        case .wrongElements: "the array is not of the asserted element type and length"
        }
    }
}
