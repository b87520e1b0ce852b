import CDemoData
import CLibrary
import Platform

/// A folder with the sample's recipe and points, for as long as the demo lasts.
struct DemoFolder {
    static let recipe = "earthquakes.json"

    let path: String

    init() throws(FileError) {
        let path = "\(Process.variable("TMPDIR") ?? "/tmp")/covey-demo-\(Process.uniqueName)"
        self.path = path
        try UnfinishedFiles.begin(path) { () throws(FileError) in try Directory.create(path) }
        do throws(FileError) {
            try Directory.create(self.path("data"))
            try Self.write(DEMO_DATA_RECIPE, to: self.path(Self.recipe))
            try Self.write(DEMO_DATA_POINTS, to: self.path("data/earthquakes.csv"))
        } catch {
            remove()
            throw error
        }
    }

    func path(_ name: String) -> String { path + "/" + name }

    func remove() { UnfinishedFiles.remove(path) }

    private static func write(_ file: demo_data_file, to path: String) throws(FileError) {
        var count = 0
        guard let bytes = unsafe demo_data_bytes(file, &count) else { return }
        try unsafe File.write(UnsafeBufferPointer(start: bytes, count: count).span, toNew: path)
    }
}
