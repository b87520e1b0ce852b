// Writes tiles, and beside each a JSON text of what is in it, for readers that are not ours:
// `interop-tiles FOLDER`. `scripts/interop` compares the two.

import Foundation
import TestSupport
import VectorTile

guard CommandLine.arguments.count == 2 else {
    print("usage: interop-tiles FOLDER")
    exit(2)
}
let folder = URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true)
var random = SeededRandom(seed: 20)
var builder = TileBuilder()
for number in 0..<40 {
    let sample = TileSample(number: number, using: &random)
    builder.removeAll()
    sample.write(to: &builder)
    let name = folder.appending(path: "tile-\(number)")
    try Data(builder.copyBytes()).write(to: name.appendingPathExtension("mvt"))
    try JSONSerialization.data(withJSONObject: sample.json, options: [.sortedKeys])
        .write(to: name.appendingPathExtension("json"))
}
