import ArchiveContract
import TileArchive
import VectorTile

/// What a Covey archive says about its tiles' layers, without which they would be misread; empty
/// for other archives.
struct TileConventions: Sendable {
    /// The letters in which a layer's counts are abbreviated, if they are not the usual ones.
    var countLetters: [String: AbbreviatedCount.Letters] = [:]
    /// The companion layers, which are made from others.
    var companions: [String: CompanionLayer] = [:]
    /// The layers that the archive describes, if it has others too, about which nothing is known.
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

    /// The conventions of an archive; empty if its description makes no sense.
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

    /// Whether a layer is another program's, in an archive that describes others.
    func isForeign(_ layer: borrowing LayerView) -> Bool {
        own.map { !$0.contains(layer.name) } ?? false
    }
}
