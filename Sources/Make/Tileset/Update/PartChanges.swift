import Platform
import PointInput
import Points
import Recipes

/// Changes points in the parts of a job. Blocks without changes stay where they are; the remaining
/// points of other blocks, and new points, become a part of their own.
struct PartChanges {
    let files: PartFolder
    let recipe: Recipe
    let options: BuildOptions
    let layer: Int
    /// All attributes of the parts, by the names that were read.
    let keys: AttributeKeys

    /// A part, and its blocks that change.
    private struct Changed {
        let name: String
        let head: PartHead
        /// The numbers of blocks that are removed from it; `lost` has the facts about their points.
        var gone: Set<Int> = []
        var lost: PartWriter.Written

        var left: [PartBlock] {
            head.blocks.indices.filter { !gone.contains($0) }.map { head.blocks[$0] }
        }
        var count: Int { left.pointCount }
    }

    /// - Returns: the new parts of the layer, and those among them that were written now.
    func apply(
        _ changes: inout PointChanges, by identity: PointIdentity,
        to parts: [(name: String, head: PartHead)]
    ) throws -> (parts: [(name: String, head: PartHead)], own: [OwnPart]) {
        let none = PartWriter.Written(survey: try PointSurvey(of: recipe))
        var gathered = GatheredPoints(
            try PartWriter(
                in: files, recipe, layer: layer, none.survey, keys, threads: options.threads), keys)
        let finder = PartKeys(files: files, identity: identity, keys: keys, options: options)
        let marks = changes.marks
        var changed: [Changed] = []
        for (name, head) in parts {
            var part = Changed(name: name, head: head, lost: none)
            let found = try finder.find(marks, in: name, head)
            if head.blocks.contains(where: { $0.count > 0 }) {
                changes.meetPoints(withKeys: found.hasKeys)
            }
            let blocks = changes.mayConcernAny ? Array(head.blocks.indices) : found.blocks
            try apply(&changes, to: &part, blocks, &gathered)
            changed.append(part)
        }
        try gathered.take(try changes.finish())
        let lost = changed.map(\.lost)
        try gatherSmall(&changed, &gathered)
        return try finish(changed, lost, &gathered)
    }

    private func apply(
        _ changes: inout PointChanges, to part: inout Changed, _ blocks: [Int],
        _ gathered: inout GatheredPoints
    ) throws {
        let reader = try PartReader(part.name, part.head.names, in: files, keys)
        for number in blocks {
            try options.checkCancelled()
            let points = try reader.points(of: part.head.blocks[number])
            guard let now = try changes.apply(to: points) else { continue }
            part.gone.insert(number)
            part.lost.include(points, of: layer, recipe)
            try gathered.take(now)
        }
    }

    /// A part with no more points than have been gathered is gathered with them, and so is one of
    /// whose file more than half is unused. So there are few parts, however many updates there are.
    private func gatherSmall(
        _ parts: inout [Changed], _ gathered: inout GatheredPoints
    ) throws {
        let all = parts.sorted { $0.count < $1.count }
        parts = []
        for part in all {
            guard part.count <= gathered.count || 2 * part.count < part.head.rows else {
                parts.append(part)
                continue
            }
            let reader = try PartReader(part.name, part.head.names, in: files, keys)
            for block in part.left {
                try options.checkCancelled()
                try gathered.take(try reader.points(of: block))
            }
        }
    }

    private func finish(
        _ parts: [Changed], _ lost: [PartWriter.Written], _ gathered: inout GatheredPoints
    ) throws -> (parts: [(name: String, head: PartHead)], own: [OwnPart]) {
        let new = try gathered.writeRest()
        // If only removed points had some value, all others must be surveyed again.
        let isCovered = lost.allSatisfy {
            new.survey.covers($0.survey) && new.used.isSuperset(of: $0.used)
        }
        var (left, own): ([(name: String, head: PartHead)], [OwnPart]) = ([], [])
        func add(_ head: NamedHead) {
            left.append((head.name, head.head))
            own.append(OwnPart(head.name, in: files.folder))
        }
        for part in parts {
            if isCovered, part.gone.isEmpty {
                left.append((part.name, part.head))
            } else {
                add(try rest(of: part, isCovered ? nil : survey(of: part)))
            }
        }
        if gathered.count > 0 || parts.isEmpty {
            let report = InputReport(ofKept: gathered.count)
            add(try gathered.writer.finish(report, in: files).written(to: files))
        }
        return (left, own)
    }

    /// A part without its removed blocks: the same file under another name.
    /// - Parameter known: the facts about its points; nil means the former facts without those of removed points.
    private func rest(of part: Changed, _ known: PartWriter.Written?) throws -> NamedHead {
        var head = part.head
        head.blocks = part.left
        head.report = InputReport(ofKept: part.count)
        if let known {
            (head.survey, head.used) = (known.survey, known.used.map(keys.name).sorted())
        } else {
            head.survey.remove(part.lost.survey)
        }
        let named = NamedHead(head)
        for ending in PartFolder.files(of: part.name, in: files.folder) where ending != ".head" {
            let path = files.points(of: named.name) + ending
            guard !files.has(path) else { continue }
            do {
                try File.link(files.points(of: part.name) + ending, as: path)
            } catch {
                throw JobError.cannotWrite(path: path, reason: "\(error)")
            }
        }
        return try named.written(to: files)
    }

    private func survey(of part: Changed) throws -> PartWriter.Written {
        var known = PartWriter.Written(survey: try PointSurvey(of: recipe))
        let reader = try PartReader(part.name, part.head.names, in: files, keys)
        for block in part.left {
            try options.checkCancelled()
            known.include(try reader.points(of: block), of: layer, recipe)
        }
        return known
    }
}

/// Points that become a part of their own.
private struct GatheredPoints {
    let writer: PartWriter
    private var waiting: PointTable
    private(set) var count = 0
    private let runs = PointRuns()

    init(_ writer: PartWriter, _ keys: AttributeKeys) {
        self.writer = writer
        waiting = PointTable(keys: keys)
    }

    mutating func take(_ points: PointTable) throws(JobError) {
        count += points.count
        waiting.append(points)
        guard runs.first(of: waiting) != nil else { return }
        try write()
    }

    private mutating func write() throws(JobError) {
        try writer.write(waiting, 0..<waiting.count)
        waiting = PointTable(keys: waiting.attributes.keys)
    }

    /// - Returns: the facts about all of them.
    mutating func writeRest() throws(JobError) -> PartWriter.Written {
        if waiting.count > 0 { try write() }
        return writer.written
    }
}

extension PartWriter.Written {
    fileprivate mutating func include(_ points: PointTable, of layer: Int, _ recipe: Recipe) {
        survey.add(points, layer: layer, of: recipe, sum: 0)
        used.formUnion(points.usedKeys())
    }
}

extension InputReport {
    /// A report about kept points; other records were reported when they were read.
    init(ofKept count: Int) {
        self.init(records: count, kept: count, points: count, rejected: [:], notes: [])
    }
}
