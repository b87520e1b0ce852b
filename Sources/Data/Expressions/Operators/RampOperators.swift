import Basics
import JSON
import CLibrary

// ["step", INPUT, OUTPUT, STOP, OUTPUT, …], ["interpolate", KIND, INPUT, STOP, OUTPUT, …]

extension Operator {
    static let step = Operator("step", takes: .atLeast(2)) { parser, call throws(ExpressionError) in
        guard call.count % 2 == 0 else {
            throw call.wrongCount(takes: "an input, an output, then pairs of stop and output")
        }
        let input = try parser.argument(0, of: call, as: .number)
        var stops = Stops()
        var outputs = [try parser.argument(1, of: call)]
        for index in stride(from: 2, to: call.count, by: 2) {
            try stops.add(index, of: call)
            outputs.append(try parser.argument(index + 1, of: call))
        }
        return Picking(outputs) { [stops] context throws(EvaluationFault) in
            try stops.count(through: try input.number(in: context))
        }
    }

    static let interpolate = Operator("interpolate", takes: .atLeast(4)) {
        parser, call throws(ExpressionError) in
        guard call.count % 2 == 0 else {
            throw call.wrongCount(takes: "a kind, an input, then pairs of stop and output")
        }
        let curve = try Curve(call.arguments[0], at: call.path(of: 0))
        let input = try parser.argument(1, of: call, as: .number)
        var stops = Stops()
        var outputs: [any ExpressionNode] = []
        for index in stride(from: 2, to: call.count, by: 2) {
            try stops.add(index, of: call)
            outputs.append(try parser.argument(index + 1, of: call, as: .number))
        }
        return interpolation(curve, input, stops, outputs)
    }

    private static func interpolation(
        _ curve: Curve, _ input: any ExpressionNode, _ stops: Stops, _ outputs: [any ExpressionNode]
    ) -> any ExpressionNode {
        NumberClosure { context throws(EvaluationFault) in
            let input = try input.number(in: context)
            let upper = try stops.count(through: input)
            if upper == 0 { return try outputs[0].number(in: context) }
            if upper == outputs.count { return try outputs[upper - 1].number(in: context) }
            let from = stops.inputs[upper - 1]
            let share = curve.share(of: input - from, in: stops.inputs[upper] - from)
            let low = try outputs[upper - 1].number(in: context)
            let high = try outputs[upper].number(in: context)
            return low * (1 - share) + high * share
        }
    }
}

/// Ascending numbers at which the output changes.
private struct Stops: Sendable {
    private(set) var inputs: [Double] = []

    mutating func add(_ index: Int, of call: Call) throws(ExpressionError) {
        let stop = try call.literalNumber(index, expected: "a number as stop")
        if let last = inputs.last, stop <= last {
            throw .stopsNotAscending(at: call.path(of: index))
        }
        inputs.append(stop)
    }

    /// The number of stops at or below the input.
    /// - Complexity: O(log stops).
    func count(through input: Double) throws(EvaluationFault) -> Int {
        guard !input.isNaN else { throw .notANumber }
        return inputs.indices.partitionPoint { inputs[$0] > input }
    }
}

/// The interpolation between one stop and the next.
private enum Curve: Sendable {
    case exponential(base: Double)
    case cubicBezier(CubicBezier)

    init(_ json: JSONValue, at path: JSONPath) throws(ExpressionError) {
        let parts = json.asArray ?? []
        let numbers = parts.dropFirst().compactMap(\.asNumber)
        switch (parts.first?.asString, parts.count, numbers.count) {
        case ("linear", 1, 0): self = .exponential(base: 1)
        case ("exponential", 2, 1): self = .exponential(base: numbers[0])
        case ("cubic-bezier", 5, 4) where numbers.allSatisfy { (0...1).contains($0) }:
            self = .cubicBezier(
                CubicBezier(x1: numbers[0], y1: numbers[1], x2: numbers[2], y2: numbers[3]))
        default:
            throw .wrongLiteral(
                expected: #"["linear"], ["exponential", BASE] or "#
                    + #"["cubic-bezier", X1, Y1, X2, Y2] with numbers from 0 to 1"#,
                found: parts.isEmpty ? json.kindInWords : json.text(), at: path)
        }
    }

    /// The share of the way from one output to the next.
    func share(of progress: Double, in length: Double) -> Double {
        switch self {
        case .exponential(1): progress / length
        case .exponential(let base): (pow(base, progress) - 1) / (pow(base, length) - 1)
        case .cubicBezier(let curve): curve.y(at: progress / length)
        }
    }
}

/// A timing curve from (0, 0) to (1, 1) with two control points.
private struct CubicBezier: Sendable {
    let x1: Double
    let y1: Double
    let x2: Double
    let y2: Double

    func y(at x: Double) -> Double {
        // x(t) never decreases if the control points are in 0…1, so bisection always finds t; each
        // step gives a bit, and 60 bits are more than a Double in 0…1 needs here.
        var low = 0.0
        var high = 1.0
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if Self.bezier(x1, x2, middle) < x { low = middle } else { high = middle }
        }
        return Self.bezier(y1, y2, (low + high) / 2)
    }

    private static func bezier(_ p1: Double, _ p2: Double, _ t: Double) -> Double {
        let s = 1 - t
        return 3 * s * s * t * p1 + 3 * s * t * t * p2 + t * t * t
    }
}
