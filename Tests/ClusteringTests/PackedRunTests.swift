import Points
import TestSupport
import Testing

@testable import Clustering

/// What a reducer wrote, in chunks.
struct PackedRunTests {
    @Test func `each cluster has its record, whatever chunk that is in and what was released`() {
        let key = AttributeKeys().intern("n")
        for count in [1, PackedRun.chunkSize, PackedRun.chunkSize + 1, 3 * PackedRun.chunkSize + 7]
        {
            var run = PackedRun(clusters: 5..<5 + count)
            for cluster in run.clusters.reversed() {
                // Some have no value.
                run.add(cluster) { if cluster % 3 != 0 { $0.append(key, integer: Int64(cluster)) } }
            }
            let ranges = run.chunkRanges
            #expect(ranges.first?.lowerBound == 5 && ranges.last?.upperBound == 5 + count)
            for (range, next) in zip(ranges, ranges.dropFirst()) {
                #expect(range.upperBound == next.lowerBound)
            }
            for range in ranges {
                var (found, wanted) = (RecordBuilder(), RecordBuilder())
                for cluster in range {
                    run.append(cluster, to: &found)
                    if cluster % 3 != 0 { wanted.append(key, integer: Int64(cluster)) }
                }
                #expect(found.bytes == wanted.bytes)
                run.release(chunkOf: range.lowerBound)
            }
        }
    }
}
