import Expressions
import PointInput
import Points
import Recipes

extension TilesetBuild {
    /// The points of a layer that were kept, as they are now.
    func readKept(
        _ layer: Recipe.Layer, at index: Int, _ keys: AttributeKeys, within memory: MemoryLimit,
        _ store: PointStore
    ) throws -> (PointTable, InputReport) {
        guard case .kept(let kept, let request, let changing, let reading) = origin else {
            preconditionFailure("the points come from their sources")
        }
        reading.begin(try kept.reader(keys))
        var changes: PointChanges?
        var notes: [String] = []
        if index == changing {
            let (table, report) = try readChanges(request, of: layer, keys, within: memory)
            notes = report.notes
            let leaves = try request.leaves.map {
                try Expression(parsing: $0, as: .filter).bound(to: keys)
            }
            changes = PointChanges(
                table, deletions: request.deletions, leaves: leaves, by: request.identity,
                layer: layer.name)
            reading.end(.init(), report)
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
        while let block = try reading.next(of: index) {
            try take(changes?.apply(to: block) ?? block)
        }
        if var changes {
            try take(changes.finish())
            reading.end(changes.tally, reading.input)
        }
        return (
            table,
            InputReport(records: count, kept: count, points: count, rejected: [:], notes: notes)
        )
    }

    private func readChanges(
        _ request: UpdateRequest, of layer: Recipe.Layer, _ keys: AttributeKeys,
        within memory: MemoryLimit
    ) throws -> (PointTable, InputReport) {
        guard !request.sources.isEmpty else { return (PointTable(keys: keys), InputReport()) }
        var layer = layer
        layer.input = request.input ?? layer.input
        var options = try inputOptions(for: layer, within: memory)
        options.removalMark = request.removalMark
        // A part of the points is odd by itself.
        options.tellsOddPlaces = false
        return try PointTable.read(
            request.sources.map(source), options: options, keys: keys,
            progress: { progress in
                tell(.read, "bytes", progress.bytes, of: progress.total, subject: progress.input)
            })
    }
}
