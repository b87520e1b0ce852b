/// A part that this process has written for its plan. If no plan names it in the end, because the
/// build was refused or another process was faster, it is removed with its owner.
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
