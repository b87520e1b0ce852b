// Says where the points of files are, with all digits: `interop-places CRS FILE…`.
//
// A line for each file tells its name and how many points it holds, a line for each point its longitude and
// latitude. CRS is for files that declare no system, or empty. Archives cannot tell so much: they round places
// to 2^-32 of the world, nearly a centimetre.

import Foundation
import Geometry
import PointInput
import Points

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count >= 2 else {
    print("usage: interop-places CRS FILE…")
    exit(2)
}
var options = InputOptions()
options.crs = CoordinateSystem(declared: arguments[1])
do throws(InputError) {
    for path in arguments.dropFirst() {
        let (table, _) = try PointTable.read([.file(path)], options: options)
        print(path, table.count)
        for row in 0..<table.count {
            let place = table.position(of: row).lonLat
            print(place.longitude, place.latitude)
        }
    }
} catch {
    FileHandle.standardError.write(Data("interop-places: \(error)\n".utf8))
    exit(1)
}
