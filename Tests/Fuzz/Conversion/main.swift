// Converts bytes as if they were an archive, into each container, whole or in part; the last byte
// says how. Nothing may crash or go on without end, and what is written can be read.

import Conversion
import Foundation
import Geometry
import TileArchive

private let folder = NSTemporaryDirectory() + "covey-fuzz-\(getpid())-conversion"
private let path = folder + "/in.mbtiles"

private func convert(_ how: UInt8) throws {
    let archive = try Archive(path: path)
    let containers: [(any ArchiveContainer.Type, String)] = [
        (MBTiles.self, "out.mbtiles"), (PMTiles.self, "out.pmtiles"), (TileFolder.self, "out/"),
    ]
    let (container, name) = containers[Int(how % 3)]
    var options = ConversionOptions()
    options.sink.replacesExisting = true
    options.threads = 1
    let box = LonLatBox(west: 170, south: -20, east: -100, north: 50)
    options.selection = TileSelection(
        zooms: how & 4 != 0 ? 0...Int(how >> 4) : 0...31, box: how & 8 != 0 ? box : nil)
    let output = "\(folder)/\(name)"
    let report = try ArchiveConversion(archive, to: output, in: container, options: options).run()
    let written = try! Archive(path: output)
    var scan = try! written.scan()
    var tiles = 0
    while try! scan.next() != nil { tiles += 1 }
    precondition(tiles == report.tiles, "\(report.tiles) tiles were written, \(tiles) are there")
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzConversion(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard count > 0 else { return 0 }
    try? FileManager.default.removeItem(atPath: folder)
    mkdir(folder, 0o700)
    let bytes = UnsafeBufferPointer(start: start, count: count)
    guard let file = fopen(path, "wb") else { fatalError("\(path) cannot be written") }
    fwrite(start, 1, count - 1, file)
    fclose(file)
    do {
        try convert(bytes[count - 1])
    } catch {
        precondition(!"\(error)".isEmpty)
    }
    return 0
}
