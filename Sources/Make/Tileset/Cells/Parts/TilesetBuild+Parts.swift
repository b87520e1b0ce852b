import Platform
import PointInput
import Points
import Recipes

/// The result of reading or gathering a part of the points.
public struct PartReport: Sendable {
    /// The part's name, which a plan is given.
    public let part: String
    public let report: InputReport
    public let points: Int
    /// The stretch of the Hilbert curve with its points, in tiles of one zoom; nil if it has none.
    public let stretch: ClosedRange<UInt64>?
    /// How often its blocks go over that stretch: once if they are in order along the curve.
    public let passes: Int

    init(_ named: NamedHead) {
        let head = named.head
        part = named.name
        report = head.report
        points = head.survey.layers[head.layer].points
        stretch = head.stretch
        // A point on a tile's edge may make a block begin earlier; a new pass begins where all of the next block is earlier.
        passes =
            1
            + zip(head.blocks, head.blocks.dropFirst()).count {
                $1.stretch.upperBound < $0.stretch.lowerBound
            }
    }
}

extension TilesetBuild {
    /// Reads a piece of a layer's points, which was cut off outside of this program, into the
    /// folder of the job. A piece may be read twice, and by several processes at once.
    public func readPart(of layer: Int, from source: PointSource) throws -> PartReport {
        let recipeLayer = recipe.layers[layer]
        if recipeLayer.input.generateID {
            throw JobError.cannotCut(
                reason: "--generate-id numbers records in their order, and parts have none")
        }
        try CutRefusal.check(recipe)
        let folder = try partFolder()
        try JobFolder.make(folder.path)
        let keys = AttributeKeys()
        let store = try PointStore(
            recipe, keys, options, always: true,
            makeFolder: { () throws(JobError) in folder.folder },
            // Tasks that gather parts read from each run by itself, so there are few.
            runs: PointRuns(rows: 1 << 20))
        store.begin(layer: layer)
        let memory = MemoryLimit(allowed: options.memory, threads: options.threads)
        var input = try inputOptions(for: recipeLayer, within: memory)
        input.format = .arrow
        input.tellsOddPlaces = false
        var (table, report) = try PointTable.read(
            [source], options: input, keys: keys, spill: store,
            progress: { tell(.read, "bytes", $0.bytes, of: $0.total, subject: $0.input) })
        report.tellUnmet(by: recipeLayer.input, keys)
        return PartReport(
            try store.end(&table, report, of: recipeLayer.name).written(to: folder))
    }

    /// Gathers parts of each layer into one, or makes a task's share of it. Fewer parts, with
    /// points along the curve, need less reading.
    public func gatherParts(
        _ names: [String], _ share: CellBuild.Share? = nil
    ) throws -> [PartReport] {
        let (parts, folder) = try known(names)
        let heads = try heads(of: parts, in: folder)
        return try recipe.layers.indices.compactMap { layer in
            let own = parts.indices.filter { heads[$0].layer == layer }
            guard !own.isEmpty else { return nil }
            return try PartGathering(
                files: folder, recipe: recipe, options: options, layer: layer,
                parts: own.map { parts[$0] }, heads: own.map { heads[$0] }
            ).run(share)
        }
    }

    /// Makes a plan from parts that have been read; does nothing if there is one.
    /// - Parameters:
    ///   - names: the names of all parts; a name that is there twice counts twice.
    ///   - cellMemory: the memory for a cell; if one needed more, the world is cut into smaller cells.
    public func planParts(_ names: [String], cellMemory: Int?) throws {
        if let job = try plannedJob() {
            guard job.plan.parts == (try order(of: names)) else {
                throw JobError.plannedOtherwise(folder: job.folder.path)
            }
            return
        }
        let points = try points(inParts: names)
        try begin(.plan)
        _ = try PlanPhase(
            recipe: recipe, points: points, keys: points.keys, options: options,
            sources: sources, archive: nil, cellMemory: cellMemory
        ).run()
    }

    /// Refuses what a plan of parts would refuse whatever their points are: a recipe that names attributes which none
    /// of them has. Parts of tables without rows will do.
    public func checkParts(_ names: [String]) throws {
        let (parts, folder) = try known(names)
        _ = try settleNames(try heads(of: parts, in: folder), AttributeKeys())
    }

    /// The points of parts that have been read.
    func points(inParts names: [String]) throws -> PartPoints {
        let (parts, files) = try known(names)
        return try points(of: Array(zip(parts, try heads(of: parts, in: files))), in: files)
    }

    /// The points of parts whose heads are known.
    func points(
        of parts: [(name: String, head: PartHead)], in files: PartFolder
    ) throws -> PartPoints {
        let parts = parts.sorted { ($0.head.layer, $0.name) < ($1.head.layer, $1.name) }
        let (heads, keys) = (parts.map(\.head), AttributeKeys())
        try PartReports(heads, recipe).check()
        return PartPoints(
            recipe: recipe, files: files, keys: keys, options: options,
            parts: parts.map(\.name), heads: heads, names: try settleNames(heads, keys))
    }

    /// The parts in their order, and their folder.
    func known(_ names: [String]) throws(JobError) -> (parts: [String], files: PartFolder) {
        (try order(of: names), try partFolder())
    }

    private func partFolder() throws(JobError) -> PartFolder {
        let job = try JobFolder(
            options.cells.folder ?? options.temporaryDirectory, remote: options.cells.remote)
        return PartFolder(job, recipe, generator: options.generator)
    }

    func heads(of parts: [String], in folder: PartFolder) throws -> [PartHead] {
        try folder.folder.fetch(parts.map(folder.head))
        let facets = try recipe.facets()
        return try parts.map { part in
            try PartHead(
                folder.read(folder.head(of: part)), layer: PartFolder.layer(of: part) ?? 0,
                facets: facets)
        }
    }

    /// The parts in an order that does not depend on which came first.
    private func order(of names: [String]) throws(JobError) -> [String] {
        var parts: [(layer: Int, name: String)] = []
        for name in names {
            guard let layer = PartFolder.layer(of: name), recipe.layers.indices.contains(layer)
            else { throw .noPart(name) }
            parts.append((layer, name))
        }
        return parts.sorted { $0 < $1 }.map(\.name)
    }

    /// Gives all attributes their keys, layer by layer, and new names to those that clusters use;
    /// returns the names of each part's attributes.
    private func settleNames(
        _ heads: [PartHead], _ keys: AttributeKeys
    ) throws -> [[String]] {
        var newNames: [String: String] = [:]
        var used: [Set<AttributeKey>] = []
        for index in recipe.layers.indices {
            var own: Set<AttributeKey> = []
            for head in heads where head.layer == index {
                for name in head.names { _ = keys.intern(name) }
                own.formUnion(head.used.map(keys.intern))
            }
            used.append(own)
            let before = keys.names
            try settleReservedNames(ofLayer: index, in: keys) { used[$0] }
            for (old, new) in zip(before, keys.names) where old != new {
                newNames["\(index) \(old)"] = new
            }
        }
        try recipe.checkReferences(to: keys.names)
        return heads.map { head in
            head.names.map { newNames["\(head.layer) \($0)"] ?? $0 }
        }
    }
}

/// The reports about the records of each layer, over all its parts.
struct PartReports {
    let reports: [InputReport]
    private let recipe: Recipe

    init(_ heads: [PartHead], _ recipe: Recipe) {
        self.recipe = recipe
        reports = recipe.layers.indices.map { layer in
            let own = heads.filter { $0.layer == layer }.map(\.report)
            // The report of a single part says where records were left out, if it has just been read.
            if own.count == 1 { return own[0] }
            var rejected: [RejectReason: Int] = [:]
            for report in own { rejected.merge(report.rejected, uniquingKeysWith: +) }
            var notes: [String] = []
            for note in own.flatMap(\.notes) where !notes.contains(note) { notes.append(note) }
            return InputReport(
                records: own.reduce(0) { $0 + $1.records }, kept: own.reduce(0) { $0 + $1.kept },
                points: own.reduce(0) { $0 + $1.points }, rejected: rejected, notes: notes,
                regions: own.map(\.regions).reduce(nil, RegionTally.sum))
        }
    }

    /// Throws if there are no points, or more invalid records than may be left out.
    func check() throws {
        for (layer, report) in zip(recipe.layers, reports) {
            guard case .atMost(let limit) = layer.input.skipInvalid, report.invalidCount > limit
            else { continue }
            throw JobError.tooManyInvalid(limit: limit, account: report.account)
        }
        if reports.allSatisfy({ $0.points == 0 }) {
            throw BuildError.noPoints(
                layers: recipe.layers.map(\.name), accounts: reports.map(\.account))
        }
    }
}
