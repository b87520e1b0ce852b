// Feeds bytes to the reader of Arrow as a file: schema, batches and what their buffers claim. Nothing may
// crash or go on without end, and no row is lost.

import Foundation
import PointInput
import Points

private let path = FileManager.default.temporaryDirectory
    .appending(path: "covey-fuzz-\(getpid()).arrow").path

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzArrow(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let file = fopen(path, "wb") else { fatalError("\(path) cannot be written") }
    fwrite(start, 1, count, file)
    fclose(file)
    var options = InputOptions()
    options.format = .arrow
    options.tolerance = .all
    options.skipsNonPoints = true
    do throws(InputError) {
        let (table, report) = try PointTable.read([.file(path)], options: options)
        precondition(report.records == report.kept + report.rejectedCount, "rows are lost")
        precondition(report.points == table.count, "points are lost")
    } catch {
        precondition(!error.description.isEmpty)
    }
    return 0
}
