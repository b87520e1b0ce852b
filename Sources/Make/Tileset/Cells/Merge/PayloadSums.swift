import Points
import TileArchive

/// Notes the sums of payloads that it hands on.
final class NotedPayloads: PayloadSink {
    private let sink: any PayloadSink
    private(set) var sums: [String] = []

    init(_ sink: any PayloadSink) { self.sink = sink }

    func write(payload: Span<UInt8>, sum: String) throws(ArchiveError) {
        sums.append(sum)
        try sink.write(payload: payload, sum: sum)
    }
}

/// Changes the payloads of an archive: those that it has are kept.
final class ChangedPayloads: PayloadSink {
    private let archive: any ChangingArchive
    /// The sums of the payloads before the changes.
    private let sums: [String]
    private let numbers: [String: Int]
    private var next = 0

    init(_ archive: any ChangingArchive, _ sums: [String]) {
        (self.archive, self.sums) = (archive, sums)
        numbers = Dictionary(zip(sums, sums.indices)) { first, _ in first }
    }

    /// Keeps the payload with that sum as the next one; false if its bytes have to be written.
    func keep(_ sum: String) -> Bool {
        let isInPlace = next < sums.count && sums[next] == sum
        guard let former = isInPlace ? next : numbers[sum], archive.keep(payload: former) else {
            return false
        }
        next += 1
        return true
    }

    func write(payload: Span<UInt8>, sum: String) throws(ArchiveError) {
        if keep(sum) { return }
        try archive.write(payload: payload, sum: sum)
        next += 1
    }
}

extension CellJob {
    /// Writes the sums of all payloads, so that the job after this one knows which payloads the archive has.
    func write(payloadSums sums: [String]) throws(JobError) {
        try write(files.payloadSums) { sums.write(to: &$0) }
    }

    /// The sums of the payloads of the archive that an earlier job made.
    func payloadSums(of former: FormerJob) throws -> [String] {
        try values(of: former.files.payloadSums)
    }
}
