import Recipes
import ArchiveContract
import Clustering
import Expressions
import JSON
import PointInput
import Points
import TileArchive

/// The points of a layer as they were read.
struct LayerInput: Sendable {
    let layer: Recipe.Layer
    /// Empty once the layer is clustered: from then on it keeps its points in an order of its own.
    var table: PointTable
    let report: InputReport
    /// The attributes by whose values points are counted, once all values are known.
    var facets: [FacetLayout] = []

    /// About how many bytes its clusters will carry.
    var carriedBytes: Int { table.count * CarriedBytes(of: layer, facets: facets).ofPoint }
}

extension TilesetBuild {
    /// Reads the layers one after another; all share one set of attribute keys.
    ///
    /// Points that the store takes are not in their tables.
    func readLayers(
        _ keys: AttributeKeys, within memory: MemoryLimit, _ store: PointStore
    ) throws -> [LayerInput] {
        var inputs: [LayerInput] = []
        for (index, layer) in recipe.layers.enumerated() {
            try checkCancelled()
            store.begin(layer: index)
            inputs.append(try read(layer, after: inputs, keys, within: memory, store))
        }
        if !store.isTaking {
            try findFacets(of: &inputs)
            store.takeAllIfTooMuch(bytes: inputs.reduce(0) { $0 + $1.carriedBytes })
        }
        if store.isTaking {
            for index in inputs.indices where !store.isWhole(layer: index) {
                store.begin(layer: index)
                try store.end(
                    &inputs[index].table, inputs[index].report, of: inputs[index].layer.name)
            }
        }
        if inputs.allSatisfy({ $0.report.points == 0 }) {
            throw BuildError.noPoints(
                layers: recipe.layers.map(\.name), accounts: inputs.map(\.report.account))
        }
        try recipe.checkReferences(to: keys.names)
        try checkLength(of: keys.names, inputs, store)
        return inputs
    }

    /// Throws if the archive could not list all attributes that points have.
    private func checkLength(
        of names: [String], _ inputs: [LayerInput], _ store: PointStore
    ) throws(ArchiveError) {
        if (try? ArchiveMetadata.checkLength(ofNames: names)) != nil { return }
        // Names without values, such as those of empty columns, are listed nowhere.
        let used = inputs.indices.reduce(into: Set<AttributeKey>()) { all, index in
            all.formUnion(store.used[index] ?? inputs[index].table.usedKeys())
        }
        try ArchiveMetadata.checkLength(ofNames: used.map { names[Int($0.number)] })
    }

    /// The points of a layer, from its sources or from an earlier build.
    private func points(
        of layer: Recipe.Layer, at index: Int, _ keys: AttributeKeys, within memory: MemoryLimit,
        _ store: PointStore
    ) throws -> (PointTable, InputReport) {
        if let update {
            return try readKept(update, layer, at: index, keys, within: memory, store)
        }
        return try PointTable.read(
            layer.sources.map(source), options: try inputOptions(for: layer, within: memory),
            keys: keys, spill: store,
            progress: { progress in
                tell(.read, "bytes", progress.bytes, of: progress.total, subject: progress.input)
            })
    }

    /// Keeps the points of a layer, in memory or in the store.
    private func keep(_ table: PointTable, of layer: Int, _ store: PointStore) throws {
        guard let keeper, !keepsPointsInJob else { return }
        guard store.isTaking else { return try keeper.keep(table, of: layer) }
        try store.points().forEachTable(of: layer) { try keeper.keep($0, of: $1) }
    }

    private func read(
        _ layer: Recipe.Layer, after earlier: [LayerInput], _ keys: AttributeKeys,
        within memory: MemoryLimit, _ store: PointStore
    ) throws -> LayerInput {
        let index = earlier.count
        do {
            var (table, report) = try points(
                of: layer, at: index, keys, within: memory, store)
            if let tally = report.regions, layer.isClustered, report.points > 0,
                tally.outside == report.points
            {
                throw BuildError.noPointInRegions(
                    layer: layer.name, file: layer.input.regions ?? "")
            }
            if update == nil { report.tellUnmet(by: layer.input, keys) }
            if store.isTaking { try store.end(&table, report, of: layer.name) }
            try keep(table, of: index, store)
            if let sameness = layer.input.dedupe {
                report.duplicates = table.removeDuplicates(by: sameness)
            }
            if !store.isTaking { store.keeps(table) }
            try settleReservedNames(ofLayer: index, in: keys) { [table] asked in
                if let known = store.used[asked] { return known }
                return asked == index ? table.usedKeys() : earlier[asked].table.usedKeys()
            }
            if layer.input.generateID, !store.isTaking { table.numberPoints() }
            return LayerInput(layer: layer, table: table, report: report)
        } catch InputError.cancelled {
            try memory.checkExceeded()
            throw BuildError.cancelled
        }
    }

    /// Makes sure that no attribute of the input has a name that clusters use.
    ///
    /// Layers share their keys, so this is done for each before the next is read.
    /// - Parameter used: returns the keys that occur in a record of this layer or an earlier one.
    func settleReservedNames(
        ofLayer index: Int, in keys: AttributeKeys, used: (Int) -> Set<AttributeKey>
    ) throws {
        let layer = recipe.layers[index]
        let posing = recipe.reservedNames(in: layer).compactMap { name in
            keys.key(named: name).map { (name: name, key: $0) }
        }
        guard !posing.isEmpty else { return }
        // A key without values, such as that of an empty column or one that is left out, does no harm.
        let own = used(index)
        let names = posing.filter { own.contains($0.key) }.map(\.name)
        guard names.isEmpty || layer.input.reservedNames == .rename else {
            throw BuildError.reservedNames(names, layer: layer.name)
        }
        // Nor does it take a name: which attributes points had before an update must not matter. Names seldom meet, so
        // records of earlier layers are seldom read for it.
        lazy var all = (0..<index).reduce(own) { $0.union(used($1)) }
        for (name, key) in posing {
            let candidates = (1...).lazy.map { "input_" + name + ($0 == 1 ? "" : "_\($0)") }
            let new = candidates.first { keys.key(named: $0).map { !all.contains($0) } ?? true }
            keys.rename(key, to: new ?? name)
        }
    }

    /// The files that the layers name.
    var sourceFiles: [String] { namedSources.compactMap(\.path) }

    /// All files that are read, including archives that hold inputs and files that belong to them.
    var inputFiles: [String] { namedSources.flatMap(\.files) }

    private var namedSources: [PointSource] {
        let points = update?.request.sources ?? recipe.layers.flatMap(\.sources)
        return (points + recipe.layers.flatMap(\.filesBeside)).map(source)
    }

    func source(_ name: String) -> PointSource {
        if name == "-" { return .standardInput }
        let isRelative = PointSource.isFile(name) && !name.hasPrefix("/")
        guard let directory = options.sourceDirectory, isRelative else { return .file(name) }
        return .file(directory + "/" + name)
    }

    func inputOptions(
        for layer: Recipe.Layer, within memory: MemoryLimit
    ) throws -> InputOptions {
        let recipe = layer.input
        var input = InputOptions()
        input.format = recipe.format
        input.encoding = recipe.encoding
        input.quotes = recipe.quotes
        input.noData = NoData(recipe.noData)
        input.xColumn = recipe.x
        input.yColumn = recipe.y
        input.idAttribute = recipe.id
        input.weightAttribute = layer.clusters?.weight
        input.included = recipe.include.map { Set($0) }
        input.asked = layer.attributeNames
        input.excluded = Set(recipe.exclude)
        if recipe.reservedNames == .drop {
            input.excluded.formUnion(self.recipe.reservedNames(in: layer))
        }
        input.labels = try layer.clusters?.dateLabels() ?? []
        input.kinds = recipe.types
        input.filter = try recipe.filter.map { try Expression(parsing: $0, as: .filter) }
        input.box = recipe.box
        input.tolerance = recipe.skipInvalid
        input.skipsNonPoints = recipe.skipNonPoints
        input.pointsFrom = recipe.pointsFrom
        input.crs = recipe.crs
        // As in Supercluster: on a flat world 180 and −180 are its two ends.
        input.keepsEastEdge = !layer.wraps
        input.query = recipe.sql.map { .sql($0) } ?? recipe.table.map { .table($0) }
        input.threads = options.threads
        input.temporaryDirectory = options.temporaryDirectory
        let isCancelled = options.isCancelled
        input.isCancelled = { isCancelled() || memory.isExceeded() }
        if let join = recipe.join {
            input.join = try JoinTable(
                reading: source(join.file), key: join.key, column: join.column, options: input)
        }
        if let regions = recipe.regions {
            input.regions = try Regions(
                reading: source(regions), name: recipe.regionName ?? "name", options: input)
        }
        return input
    }
}

extension Recipe {
    /// The names that no attribute of a layer's points may have.
    fileprivate func reservedNames(in layer: Layer) -> [String] {
        let fields = layer.clusters?.fields ?? []
        let reserved = ClusterAttribute.namesReservedInPoints
        // Readers take an attribute of this name for counts by value.
        let facets = ((try? layer.clusters?.parsedFacets()) ?? []).map(\.attribute)
        let names = reserved + (fields.map(\.name) + facets).filter { !reserved.contains($0) }
        return tiles.spread == nil ? names : names + [PointSpread.attribute]
    }
}

extension PointTable {
    /// The keys that some record has.
    func usedKeys() -> Set<AttributeKey> {
        var isUsed: [Bool] = []
        attributes.forEachRecord(of: 0..<count) { _, record in
            var cursor = record.makeCursor()
            while let attribute = cursor.next() {
                let number = Int(attribute.key.number)
                while number >= isUsed.count { isUsed.append(false) }
                isUsed[number] = true
            }
        }
        let numbers = isUsed.indices.filter { isUsed[$0] }
        return Set(numbers.map { AttributeKey(number: UInt32($0)) })
    }
}
