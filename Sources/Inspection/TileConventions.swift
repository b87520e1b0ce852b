import ArchiveContract
import TileArchive

/// What an archive of Covey's says about its tiles' layers, without which they would be misread; in
/// others' there is nothing to know.
struct TileConventions: Sendable {
    /// The letters in which a layer's counts are abbreviated, where they are not the usual ones.
    var countLetters: [String: AbbreviatedCount.Letters] = [:]
    /// The layers that stand beside others and are made of them.
    var companions: [String: CompanionLayer] = [:]
    /// The layers in which points of one place are drawn apart.
    var spread: Set<String> = []

    init() {}

    init(_ description: ClusterDescription) {
        for layer in description.layers {
            let letters = layer.clustering?.countLetters ?? .small
            if letters != .small, countLetters[layer.name] == nil {
                countLetters[layer.name] = letters
            }
            for companion in layer.companions { companions[companion.name] = companion.kind }
            if layer.spread != nil { spread.insert(layer.name) }
        }
    }

    /// What an archive says; nothing where that makes no sense.
    init(of archive: Archive) {
        let description = try? archive.description?.get()
        if let description { self.init(description) } else { self.init() }
    }
}
