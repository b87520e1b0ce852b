// Reads bytes as what an archive says of itself: each line is a row of the metadata table, its name
// up to the first tab. Whatever it says, it is read or warned of, and what is read survives being
// written and read again.

import ArchiveContract
import JSON
import TileArchive

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMetadata(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = String(
        decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    let rows = text.split(separator: "\n").map { line in
        let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
        return ArchiveMetadata.Row(String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }
    var reading = MetadataReading(rows: rows)
    let metadata = reading.metadata()
    for warning in reading.warnings { precondition(!warning.description.isEmpty) }
    var again = MetadataReading(rows: metadata.rows)
    let second = again.metadata()
    var third = MetadataReading(rows: second.rows)
    precondition(third.metadata() == second, "what is written is read as something else")
    guard let covey = metadata.covey, let description = try? ClusterDescription(covey) else {
        return 0
    }
    precondition((try? ClusterDescription(description.json)) == description)
    _ = description.layer(ofLeaf: 7)
    for layer in description.layers {
        for zoom in [0, 5, 31] { _ = layer.clustering?.radius.pixels(at: zoom) }
    }
    return 0
}
