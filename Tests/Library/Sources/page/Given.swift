// What the programs of docs/library.md take for granted. `check` puts them beside it, each as a function.
import Geometry

struct Inn {
    let name: String
    let position: LonLat
    let price: Double
}

let inns = [Inn(name: "Fox", position: LonLat(longitude: 10.1, latitude: 47.2), price: 80)]
let box = LonLatBox.world
func draw(_ count: Int, at position: LonLat) { print(count, position) }
