import CDemoData
import CLibrary
import Platform

/// A folder with the sample's recipe and points, which lasts as long as the demo.
struct DemoFolder {
    static let recipe = "earthquakes.json"

    private let folder: TemporaryFolder
    var path: String { folder.path }

    init() throws(FileError) {
        let directory = Process.temporaryDirectory
        TemporaryFile.removeLeftovers(in: directory)
        folder = try TemporaryFolder(in: directory)
        try Directory.create(path("data"))
        try Self.write(DEMO_DATA_RECIPE, to: path(Self.recipe))
        try Self.write(DEMO_DATA_POINTS, to: path("data/earthquakes.csv"))
    }

    func path(_ name: String) -> String { path + "/" + name }

    /// Removes it if the program ends before its owner is released.
    func remove() { UnfinishedFiles.remove(path) }

    private static func write(_ file: demo_data_file, to path: String) throws(FileError) {
        var count = 0
        guard let bytes = unsafe demo_data_bytes(file, &count) else { return }
        try unsafe File.write(UnsafeBufferPointer(start: bytes, count: count).span, toNew: path)
    }
}
