/// A part that this process has written for a plan of its own. Where no plan comes to name it, as the build is refused or
/// another process was sooner, it goes with its owner.
final class OwnPart: Sendable {
    private let folder: JobFolder
    private let name: String

    init(_ name: String, in folder: JobFolder) {
        self.folder = folder
        self.name = name
    }

    deinit {
        let plan = try? JobPlan.read(in: folder)
        if !(plan?.parts.contains(name) ?? false) { PartFolder.discard(name, in: folder) }
    }
}
