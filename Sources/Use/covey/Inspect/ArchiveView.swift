import Arguments
import Geometry
import Inspection
import JSON
import TileArchive

/// A whole archive, in the requested form.
struct ArchiveView {
    let archive: Archive
    let arguments: ParsedArguments

    private var zooms: ClosedRange<Int> { arguments[InspectVerb.zoom]?.zooms ?? 0...31 }
    private var threads: Int { arguments.threadCount }

    func show(on console: Console) throws {
        if arguments[InspectVerb.list] {
            try archive.listTiles(zooms: zooms, in: arguments[InspectVerb.box]?.box) {
                console.print("\($0.tile.z) \($0.tile.x) \($0.tile.y) \($0.bytes)")
            }
        } else if let count = arguments[InspectVerb.heaviest] {
            for tile in try archive.heaviestTiles(count, zooms: zooms) {
                console.print("\(tile.tile.z) \(tile.tile.x) \(tile.tile.y) \(tile.bytes)")
            }
        } else if arguments[InspectVerb.nodes] {
            try archive.listNodes(
                atZoom: try oneZoom("--nodes"), threads: threads, console.write)
        } else if arguments[InspectVerb.geojson] {
            try archive.listFeatures(
                atZoom: try oneZoom("--geojson"), threads: threads, console.write)
        } else if arguments[InspectVerb.json] {
            let survey = try Survey(of: archive, zooms: zooms, threads: threads)
            console.print(archive.summary(with: survey).text(.pretty))
        } else {
            try showTables(on: console)
        }
    }

    private func oneZoom(_ option: String) throws(UsageError) -> Int {
        guard let zooms = arguments[InspectVerb.zoom]?.zooms, zooms.count == 1 else {
            throw .contradiction(
                "\(option) shows one zoom of an archive", remedy: "add --zoom Z, or name a tile")
        }
        let zoom = zooms.lowerBound
        if let least = archive.metadata.minZoom, let most = archive.metadata.maxZoom,
            zoom < least || zoom > most
        {
            throw .contradiction(
                "\(archive.path) has no zoom \(zoom)", remedy: "it has zooms \(least) to \(most)")
        }
        return zoom
    }

    /// Prints what is known without decoding at once, then a row for each zoom when it is done.
    private func showTables(on console: Console) throws {
        console.show(archive.summaryLines)
        console.print("\n" + ZoomFigures.table.heading)
        let survey = try Survey(of: archive, zooms: zooms, threads: threads) {
            console.print($0.line)
        }
        console.show(survey.lines)
    }
}
