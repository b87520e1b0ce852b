import ArchiveContract
import Geometry
import Platform
import TileArchive

/// Checks whether archives can be joined, and notes what users should know if they can.
struct JoinCheck {
    let archives: [Archive]
    let plan: JoinPlan
    let zooms: ClosedRange<Int>

    /// Throws if they cannot be joined.
    func refuse() throws(ConversionError) {
        for (index, archive) in archives.enumerated() {
            guard archive.metadata.format == "pbf" else {
                throw .collision(
                    "\(archive.path): its tiles are \(archive.metadata.format), not vector tiles",
                    advice: "only vector tiles have layers that can be put side by side")
            }
            let identity = try? FileStatus(of: archive.path).identity
            if let identity,
                archives[..<index].contains(where: {
                    (try? FileStatus(of: $0.path))?.identity == identity
                })
            {
                throw .collision(
                    "\(archive.path) is named twice", advice: "name each archive once")
            }
            if let description = try? archive.description?.get(), description.variableDepth > 0 {
                throw .collision(
                    "\(archive.path) was built with --variable-depth: a tile of another archive "
                        + "would hide what its ancestors show",
                    advice: "build it again without --variable-depth")
            }
            if case .failure(let error)? = archive.description, archive.hasClusters {
                throw .collision(
                    "\(archive.path): \(error)",
                    advice: "its clusters cannot be renumbered; build it again")
            }
        }
        try refuseBuffers()
        try refuseIDs()
        try refuseSpellings()
        for (index, unit) in plan.units.enumerated() {
            for other in plan.units[..<index] where other.layer.name == unit.layer.name {
                try refuseMerging(other, unit)
            }
            try refuseUnknown(beside: unit)
            try refuseNamesake(of: unit)
        }
    }

    /// A layer may not have the name of another one's companion layer, as it would be taken for that.
    private func refuseNamesake(of unit: JoinUnit) throws(ConversionError) {
        for companion in unit.layer.companions {
            for (index, archive) in archives.enumerated() where index != unit.source {
                let isOwn = plan.units.contains { other in
                    other.source == index
                        && other.layer.companions.contains { $0.name == companion.name }
                }
                guard !isOwn,
                    archive.metadata.vectorLayers.contains(where: { $0.id == companion.name })
                else { continue }
                throw .collision(
                    "\(archive.path) has a layer \(companion.name), the name of a companion of layer "
                        + "\(unit.layer.name) in \(archives[unit.source].path)",
                    advice: "build one of them again with another layer name")
            }
        }
    }

    /// If only some points of a layer were in the index, answers about the layer would be wrong.
    private func refuseUnknown(beside unit: JoinUnit) throws(ConversionError) {
        let name = unit.layer.name
        for archive in archives where !archive.hasClusters {
            guard archive.metadata.vectorLayers.contains(where: { $0.id == name }) else { continue }
            throw .collision(
                "layer \(name) has a cluster index in \(archives[unit.source].path) and none in "
                    + "\(archive.path)",
                advice: "build one again with another layer name, or both with the index, or "
                    + "both without it")
        }
    }

    /// A layer must have one extent and the same zooms in both archives; otherwise it is two layers.
    private func refuseMerging(_ a: JoinUnit, _ b: JoinUnit) throws(ConversionError) {
        let (first, second) = (archives[a.source], archives[b.source])
        let name = a.layer.name
        if let bins = [(a, first), (b, second)].first(where: { $0.0.layer.bins != nil }) {
            throw .collision(
                "layer \(name) has bins in \(bins.1.path), which count only the points there",
                advice: "build one of them with --layer and another name, or both without --bins")
        }
        let ranges = [first, second].map { archive in
            let least = archive.metadata.minZoom ?? 0
            return Int(least)...Int(max(least, archive.metadata.maxZoom ?? least))
        }
        // An archive's deepest zoom may be drawn more finely than the same zoom of a deeper archive.
        let isWithin = zooms.upperBound < min(ranges[0].upperBound, ranges[1].upperBound)
        let starts = ranges.map { max($0.lowerBound, zooms.lowerBound) }
        guard starts[0] == starts[1],
            isWithin || ranges[0].upperBound == ranges[1].upperBound
        else {
            throw .collision(
                "layer \(name) has zooms \(ranges[0].words) in \(first.path) and "
                    + "\(ranges[1].words) in \(second.path)",
                advice: "build both to the same zooms, or one with --layer and another name")
        }
        let extents = [first, second].map { try? $0.description?.get().extent }
        guard extents[0] == extents[1] else {
            throw .collision(
                "layer \(name) has different extents in \(first.path) and \(second.path)",
                advice: "build one of them again with the --extent of the other")
        }
    }

    /// Tiles tell layers apart by the bytes of their names, but letters that look alike may have different bytes.
    private func refuseSpellings() throws(ConversionError) {
        var known: [String: (name: String, path: String)] = [:]
        for archive in archives {
            for layer in archive.metadata.vectorLayers {
                let other = known[layer.id] ?? (layer.id, archive.path)
                known[layer.id] = other
                guard !other.name.utf8.elementsEqual(layer.id.utf8) else { continue }
                throw .collision(
                    "layer \(layer.id) is written with other bytes in \(other.path) than in \(archive.path): "
                        + "one has letters with accents, the other letters and accents",
                    advice: "build both again with this covey, which writes one form")
            }
        }
    }

    /// Ids have room for a limited number of layers.
    private func refuseIDs() throws(ConversionError) {
        for archive in archives where archive.hasClusters {
            guard let description = try? archive.description?.get(), description.format < 4 else {
                continue
            }
            throw .collision(
                "\(archive.path) was built by an earlier covey, whose clusters cannot be joined",
                advice: "build it again, or join what covey convert makes of it, without the index")
        }
        guard plan.units.count <= PlaceID.mostLayers else {
            throw .collision(
                "together they have \(plan.units.count) layers with clusters, and an archive has "
                    + "at most \(PlaceID.mostLayers)",
                advice: "join fewer of them")
        }
    }

    private func refuseBuffers() throws(ConversionError) {
        let buffers = archives.compactMap { archive in
            (try? archive.description?.get()).map { (archive.path, $0.buffer) }
        }
        guard let first = buffers.first, let other = buffers.first(where: { $0.1 != first.1 })
        else { return }
        throw .collision(
            "\(first.0) was built with a buffer of \(first.1) pixels, \(other.0) with \(other.1)",
            advice: "build one of them again with the --buffer of the other")
    }

    /// Differences that do not prevent a join.
    var notes: [String] {
        zoomNotes + ruleNotes + facetNotes + indexNotes
    }

    private var zoomNotes: [String] {
        let deepest = min(
            archives.compactMap(\.metadata.maxZoom).max() ?? 0, UInt8(zooms.upperBound))
        return archives.compactMap { archive in
            guard let end = archive.metadata.maxZoom, end < deepest else { return nil }
            return "\(archive.path) ends at zoom \(end): maps show nothing of its layers below; "
                + "build it to zoom \(deepest), or join with --max-zoom \(end)"
        }
    }

    /// Notes about layers with one name that were clustered by different rules.
    private var ruleNotes: [String] {
        var notes: [String] = []
        for (index, unit) in plan.units.enumerated() {
            guard index > 0, plan.units[index - 1].layer.name == unit.layer.name else { continue }
            let (a, b) = (plan.units[index - 1].layer, unit.layer)
            notes.append(
                "layer \(a.name) is in several archives: its points were clustered apart, so "
                    + "clusters of one may lie on those of another")
            if a.clustering != b.clustering || a.maxZoom != b.maxZoom {
                notes.append("layer \(a.name): its archives were clustered by different rules")
            }
        }
        return notes
    }

    private var facetNotes: [String] {
        plan.mixedFacets.sorted().map {
            "layer \($0) has facets with other values in one archive than in another, so the joined one has none: "
                + "to filter it by them, build all its points at once"
        }
    }

    private var indexNotes: [String] {
        let without = archives.filter { !$0.hasClusters && $0.description != nil }
        return without.map {
            "\($0.path) has no index: the ids of its clusters stay as they are, may equal others, and "
                + "cannot be looked up"
        }
    }
}

extension ClosedRange<Int> {
    fileprivate var words: String { "\(lowerBound) to \(upperBound)" }
}
