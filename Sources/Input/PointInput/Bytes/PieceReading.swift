import Points
import Synchronization

/// Finds places to cut an input into pieces that can be parsed in parallel.
///
/// Cutting is done in order and under a lock; it must be much faster than parsing.
protocol PieceCutter: Sendable, SendableMetatype {
    /// The information that a parser needs about a piece besides its bytes.
    associatedtype Context: Sendable

    /// Cuts the next piece from the front of the bytes.
    mutating func cut(_ bytes: ByteCursor, isLast: Bool) throws(InputError) -> Cut<Context>
}

enum Cut<Context: Sendable>: Sendable {
    /// The bytes of `range` are a piece; those before it are dropped, those after it are kept.
    case piece(Range<Int>, Context)
    /// There is no place to cut yet.
    case needsMore
    /// There are no more records.
    case done
}

/// Parses the pieces of one format into points. Each worker has its own.
protocol PieceParser: SendableMetatype {
    associatedtype Cutter: PieceCutter
    var builder: PointBuilder { get set }
    mutating func parse(_ bytes: ByteCursor, _ context: Cutter.Context)
    /// Whether a piece was not cut between records, so that everything must be read again.
    var isDoubtful: Bool { get }
}

extension PieceParser {
    var isDoubtful: Bool { false }
}

/// Reads an input piece by piece in several threads, and collects the points in order.
///
/// Each worker takes the next piece (one at a time), parses it (in parallel) and delivers its
/// points (in order). So there are never more texts in memory than workers, and never more parsed
/// pieces than twice as many.
///
/// It exists beside `OrderedPipeline` for two reasons: a worker cuts its piece from bytes that it
/// reads itself, into memory that it keeps, and an input with doubtful pieces is read a second time
/// from its start.
final class PieceReading<Parser: PieceParser>: Sendable {
    private struct Cutting {
        var cutter: Parser.Cutter
        /// Bytes that were read and belong to no piece yet.
        var rest: [UInt8] = []
        var isAtEnd = false
    }

    private struct Piece {
        var start: Int
        var context: Parser.Cutter.Context
    }

    private let input: OpenInput
    private let collector: PointCollector
    private let pieces: PieceCollection<Cutting>
    private let isDoubtful = Mutex(false)

    private init(_ input: OpenInput, cutter: Parser.Cutter, collector: PointCollector) {
        self.input = input
        self.collector = collector
        pieces = PieceCollection(Cutting(cutter: cutter), collector)
    }

    /// Reads all pieces of the input; false if one was cut wrongly, so that the collected points
    /// are invalid.
    @discardableResult
    static func run(
        _ input: OpenInput, cutter: Parser.Cutter, collector: PointCollector,
        makeParser: @Sendable () -> Parser
    ) throws(InputError) -> Bool {
        let reading = PieceReading(input, cutter: cutter, collector: collector)
        reading.pieces.run { reading.work(makeParser()) }
        // A failure may be a consequence of that.
        if reading.isDoubtful.withLock({ $0 }) { return false }
        if let error = reading.pieces.error { throw error }
        return true
    }

    private func work(_ parser: consuming Parser) {
        var parser = parser
        var block = ByteBlock(capacity: collector.options.pieceSize)
        while let (ticket, next) = nextPiece(into: &block) {
            pieces.lendMemory(to: &parser.builder)
            let parsed = next.map { piece in
                parser.parse(block.cursor(at: piece.start), piece.context)
                let passed = block.cursor()
                return parser.builder.takePiece(of: passed.span(0..<passed.end))
            }
            if parser.isDoubtful { isDoubtful.withLock { $0 = true } }
            pieces.put(parsed, ticket: ticket)
        }
    }

    /// Reads and cuts the next piece into the block.
    private func nextPiece(
        into block: inout ByteBlock
    ) -> (ticket: Int, Result<Piece, InputError>)? {
        guard isDoubtful.withLock({ !$0 }) else { return nil }
        return pieces.take { cutting throws(InputError) in try cutPiece(&cutting, &block) }
    }

    private func cutPiece(
        _ cutting: inout Cutting, _ block: inout ByteBlock
    ) throws(InputError) -> Piece? {
        block.assign(cutting.rest)
        while true {
            while !cutting.isAtEnd, block.count < block.capacity {
                cutting.isAtEnd = try !block.fill(from: input)
            }
            let bytes = block.cursor()
            switch try cutting.cutter.cut(bytes, isLast: cutting.isAtEnd) {
            case .piece(let range, let context):
                cutting.rest = block.bytes(from: range.upperBound)
                block.truncate(to: range.upperBound)
                return Piece(start: range.lowerBound, context: context)
            case .done: return nil
            case .needsMore:
                precondition(!cutting.isAtEnd, "a cutter must make do with the last bytes")
                let limit = collector.options.longestRecord
                guard block.count < limit else {
                    throw .recordTooLong(input: input.name, limit: limit)
                }
                block.grow(to: 2 * block.capacity)
            }
        }
    }
}
