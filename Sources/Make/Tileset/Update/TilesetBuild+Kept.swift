import Expressions
import PointInput
import Points
import Recipes

extension TilesetBuild {
    /// The kept points of a layer, with the changes applied.
    func readKept(
        _ update: UpdateInput, _ layer: Recipe.Layer, at index: Int, _ keys: AttributeKeys,
        within memory: MemoryLimit, _ store: PointStore
    ) throws -> (PointTable, InputReport) {
        var changes: PointChanges?
        var report = InputReport()
        if index == update.layer {
            (changes, report) = try readChanges(
                update.request, of: layer, update.kinds, keys, within: memory)
        }
        var table = PointTable(keys: keys)
        var count = 0
        func take(_ points: PointTable) throws {
            count += points.count
            table.append(points)
            try store.take(&table, of: layer.name)
            tell(.read, "points", count, of: nil, subject: layer.name)
            try checkCancelled()
        }
        while let block = try update.next(of: index, keys) {
            try take(changes?.apply(to: block) ?? block)
        }
        if index == recipe.layers.count - 1 { try update.finish() }
        if var changes {
            try take(changes.finish())
            update.tell(changes, report)
        }
        return (table, InputReport(ofKept: count))
    }

    func readChanges(
        _ request: UpdateRequest, of layer: Recipe.Layer, _ known: KnownKinds?,
        _ keys: AttributeKeys, within memory: MemoryLimit
    ) throws -> (PointChanges, InputReport) {
        var layer = layer
        layer.input = request.input ?? layer.input
        // Deletions alone need no files besides the points.
        if request.sources.isEmpty { (layer.input.join, layer.input.regions) = (nil, nil) }
        var options = try inputOptions(for: layer, within: memory)
        options.removalMark = request.removalMark
        options.knownKinds = known
        // A part of the points may have odd positions without being wrong.
        options.tellsOddPlaces = false
        let (table, report) = try PointTable.read(
            request.sources.map(source), options: options, keys: keys,
            progress: { progress in
                tell(.read, "bytes", progress.bytes, of: progress.total, subject: progress.input)
            })
        let leaves: BoundExpression?
        do {
            leaves = try request.leaves.map {
                try Expression(parsing: $0, as: .filter).bound(to: keys)
            }
        } catch {
            throw UpdateError.badExpression("\(error)")
        }
        let changes = PointChanges(
            table, deletions: request.deletions, leaves: leaves, by: request.identity,
            layer: layer.name)
        return (changes, report)
    }
}
