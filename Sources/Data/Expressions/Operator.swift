/// An operator of the language: its name, its number of arguments, and the node it makes.
struct Operator: Sendable {
    typealias Build =
        @Sendable (inout ExpressionParser, Call) throws(ExpressionError) -> any ExpressionNode

    let name: String
    let arity: Arity
    let build: Build

    init(_ name: String, takes arity: Arity, _ build: @escaping Build) {
        self.name = name
        self.arity = arity
        self.build = build
    }
}

/// The number of arguments of an operator.
enum Arity: Sendable {
    case exactly(Int)
    case between(Int, Int)
    case atLeast(Int)

    func allows(_ count: Int) -> Bool {
        switch self {
        case .exactly(let number): count == number
        case .between(let least, let most): (least...most).contains(count)
        case .atLeast(let least): count >= least
        }
    }
}

extension Arity: CustomStringConvertible {
    var description: String {
        switch self {
        case .exactly(0): "no arguments"
        case .exactly(1): "1 argument"
        case .exactly(let number): "\(number) arguments"
        case .between(let least, let most) where most == least + 1: "\(least) or \(most) arguments"
        case .between(let least, let most): "\(least) to \(most) arguments"
        case .atLeast(1): "at least 1 argument"
        case .atLeast(let least): "at least \(least) arguments"
        }
    }
}
