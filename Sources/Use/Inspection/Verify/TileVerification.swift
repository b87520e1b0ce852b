import JSON
import VectorTile

/// The check of a tile in a file of its own against MVT 2.1.
public struct TileVerification: Sendable {
    public private(set) var findings = FindingList()
    /// The worst severity found; nil if nothing is wrong.
    public private(set) var worst: TileRule.Severity?

    public init(of loose: LooseTile) { self.init(of: loose, unpacked: nil) }

    /// - Parameter unpacked: the inflated bytes for protobuf-c, if they are not the tile's own.
    package init(of loose: LooseTile, unpacked: [UInt8]?) {
        let report = TileReport(of: loose.stored, tile: nil)
        if case .compression(let error)? = report.fault {
            findings.add(
                .error, "bad-gzip", "the gzip is damaged", at: error.description)
            worst = .fatal
            return
        }
        var validator = TileValidator()
        do {
            for finding in try validator.findings(in: report.inflated.span) { add(finding) }
            compare(report.inflated, unpacked ?? report.inflated)
        } catch {
            findings.add(.error, "too-large", error.description)
            worst = .fatal
        }
    }

    /// Read by protobuf-c, the tile must be the same.
    private mutating func compare(_ bytes: [UInt8], _ unpacked: [UInt8]) {
        var second = SecondReader()
        guard
            let difference = second.difference(between: bytes.span, unpacked: unpacked.span)
        else { return }
        findings.add(difference)
        worst = .fatal
    }

    private mutating func add(_ finding: TileFinding) {
        findings.add(finding)
        let order: [TileRule.Severity] = [.advice, .recoverable, .fatal]
        let rank = order.firstIndex(of: finding.severity) ?? 0
        if rank >= worst.flatMap(order.firstIndex(of:)) ?? 0 { worst = finding.severity }
    }

    public var json: JSONValue {
        [
            "errors": .bool(findings.hasErrors),
            "worst": worst.map { .string($0.rawValue) } ?? .null,
            "findings": .array(findings.all.map(\.json)),
        ]
    }
}
