/// A part that this process has written for a plan of its own. Where no plan names it, as the build is refused or
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
        let named = (plan?.parts ?? []) + (plan?.before?.parts ?? [])
        if !named.contains(name) { PartFolder.discard(name, in: folder) }
    }
}
