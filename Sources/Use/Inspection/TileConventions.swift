import ArchiveContract
import TileArchive
import VectorTile

/// What an archive of Covey's says about its tiles' layers, without which they would be misread; in
/// others' there is nothing to know.
struct TileConventions: Sendable {
    /// The letters in which a layer's counts are abbreviated, where they are not the usual ones.
    var countLetters: [String: AbbreviatedCount.Letters] = [:]
    /// The layers that stand beside others and are made of them.
    var companions: [String: CompanionLayer] = [:]
    /// The layers that are told of, where an archive has others too: of these nothing is known.
    var own: Set<String>?
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
        guard let description else { return }
        let own = Set(description.layers.map(\.name))
        let hasOthers = archive.metadata.vectorLayers.contains {
            !own.contains($0.id) && companions[$0.id] == nil
        }
        if hasOthers { self.own = own }
    }

    /// Whether a layer is another program's, though its archive tells of others.
    func isForeign(_ layer: borrowing LayerView) -> Bool {
        own.map { !$0.contains(layer.name) } ?? false
    }
}
