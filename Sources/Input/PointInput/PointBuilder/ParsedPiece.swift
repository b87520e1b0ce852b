import Points

/// A builder's result for a part of an input; locations count from its start.
public struct ParsedPiece: Sendable {
    var batch: PointBatch
    var report: InputReport
    /// The record that ends the run.
    var failure: Rejection?
    /// Whether the input has more attribute names than the limit.
    var hasTooManyNames = false
    /// The survey of its points' positions.
    var survey: PlaceSurvey
    var byteCount = 0
    var lineCount = 0

    init(batch: PointBatch, report: InputReport, failure: Rejection?) {
        self.batch = batch
        survey = PlaceSurvey(of: batch)
        self.report = report
        self.failure = failure
    }

    /// Moves the locations, to count from the start of the input.
    mutating func shift(records: Int, bytes: Int, lines: Int) {
        func shift(_ location: inout RecordLocation) {
            location.record += records
            if location.line == nil { location.offset = nil } else { location.offset? += bytes }
            location.line? += lines
        }
        for index in report.samples.indices { shift(&report.samples[index].location) }
        if failure != nil { shift(&failure!.location) }
    }
}

extension RecordLocation {
    /// Sets the line (from 1) by the newlines before the fault.
    mutating func countLines(in bytes: Span<UInt8>) {
        line = 1 + LineCount.of(bytes.extracting(first: min(offset ?? 0, bytes.count)))
    }
}

enum LineCount {
    /// The number of newlines, counted sixteen bytes at a time.
    static func of(_ bytes: Span<UInt8>) -> Int {
        unsafe bytes.withUnsafeBytes { bytes in
            var count = 0
            var index = 0
            let newline = SIMD16<UInt8>(repeating: 0x0A)
            while index + 16 <= bytes.count {
                // A lane counts up to 255 before the lanes are added up.
                let end = min(index + 16 * 255, bytes.count - 15)
                var lanes = SIMD16<UInt8>()
                while index < end {
                    let group = unsafe bytes.loadUnaligned(
                        fromByteOffset: index, as: SIMD16<UInt8>.self)
                    lanes &+= SIMD16<UInt8>(repeating: 0).replacing(
                        with: 1, where: group .== newline)
                    index += 16
                }
                count += (0..<16).reduce(0) { $0 + Int(lanes[$1]) }
            }
            while index < bytes.count {
                if unsafe bytes[index] == 0x0A { count += 1 }
                index += 1
            }
            return count
        }
    }
}
