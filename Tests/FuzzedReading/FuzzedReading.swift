import PointInput
import Points

/// Properties that must hold for all bytes; fuzz targets and tests call these functions.
package enum FuzzedReading {
    private static let rules: [PointsFrom?] = [nil] + PointsFrom.allCases

    /// Reads the bytes in one piece and in small ones: every record must be kept or counted as
    /// rejected, and bytes without a fault must give the same table both times.
    package static func check(_ bytes: [UInt8], as format: InputFormat) {
        let whole = read(bytes, as: format, pieceSize: 1 << 17)
        let parts = read(bytes, as: format, pieceSize: 64)
        guard let whole else { return }
        check(whole)
        guard let parts else { preconditionFailure("small pieces are refused") }
        check(parts)
        guard whole.report.rejectedCount == 0, parts.report.rejectedCount == 0 else { return }
        precondition(whole.table.count == parts.table.count)
        for row in 0..<whole.table.count {
            precondition(whole.table.position(of: row) == parts.table.position(of: row))
        }
    }

    /// Whether a text is a point or several; its coordinates are finite or rejected later.
    package static func isWellKnownPoint(_ text: [UInt8]) -> Bool {
        guard let positions = try? WKTPoint.positions(in: text, pointsFrom: .inside).positions
        else {
            return false
        }
        precondition(positions.count % 2 == 0, "a point has two coordinates")
        return true
    }

    private static func check(_ reading: (table: PointTable, report: InputReport)) {
        let report = reading.report
        precondition(report.records == report.kept + report.rejectedCount, "records are lost")
        precondition(report.points == reading.table.count, "points are lost")
    }

    private static func read(
        _ bytes: [UInt8], as format: InputFormat, pieceSize: Int
    ) -> (table: PointTable, report: InputReport)? {
        var options = InputOptions()
        options.format = format
        options.tolerance = .all
        options.skipsNonPoints = true
        options.pointsFrom = rules[bytes.count % rules.count]
        options.pieceSize = pieceSize
        // A limit for what a few bytes may describe.
        options.viewRows = 1 << 12
        return try? PointTable.read(bytes: bytes, options: options)
    }
}
