import Points

extension PointBuilder {
    /// Counts rejected records that were not read.
    mutating func leaveOut(_ count: Int, _ reason: RejectReason) {
        guard count > 0 else { return }
        report.records += count
        report.rejected[reason, default: 0] += count
    }

    /// Returns the collected points and starts again. `bytes` is the range to which the offsets
    /// refer; its newlines give the lines of faults.
    mutating func takePiece(of bytes: Span<UInt8>? = nil) -> ParsedPiece {
        project()
        for index in labels.indices {
            report.moments[labels[index].attribute, default: NumbersSeen()]
                .add(labels[index].numbers)
            labels[index].numbers = NumbersSeen()
        }
        var piece = ParsedPiece(batch: batch, report: report, failure: failure)
        piece.hasTooManyNames = hasTooManyNames
        if let bytes {
            piece.byteCount = bytes.count
            piece.lineCount = LineCount.of(bytes)
            for index in piece.report.samples.indices {
                piece.report.samples[index].location.countLines(in: bytes)
            }
            piece.failure?.location.countLines(in: bytes)
        }
        batch = PointBatch()
        projectedCount = 0
        report = InputReport()
        failure = nil
        isStopped = false
        isFarOut = false
        return piece
    }

    /// Reuses the memory of earlier points, which are in the table now, for the next ones.
    mutating func reuse(_ batch: consuming PointBatch) {
        guard self.batch.count == 0, self.batch.records.byteCount == 0 else { return }
        batch.removeAll()
        self.batch = batch
    }
}
