// Feeds bytes to the reader of zip archives as if they were a file: its directory, its members and their
// contents. Nothing may crash or go on without end, and no row is lost.

import Foundation
import PointInput
import Points

private let path = FileManager.default.temporaryDirectory
    .appending(path: "covey-fuzz-\(getpid()).zip").path

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzZip(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let file = fopen(path, "wb") else { fatalError("\(path) cannot be written") }
    fwrite(start, 1, count, file)
    fclose(file)
    var options = InputOptions()
    // Without a format, what is no archive of tables would go to GDAL.
    options.format = .csv
    options.xColumn = "lon"
    options.yColumn = "lat"
    options.tolerance = .all
    for source in [PointSource.file(path), .file("\(path)/a.csv")] {
        do throws(InputError) {
            let (table, report) = try PointTable.read([source], options: options)
            precondition(report.records == report.kept + report.rejectedCount, "rows are lost")
            precondition(report.points == table.count, "points are lost")
        } catch {
            precondition(!error.description.isEmpty)
        }
    }
    return 0
}
