import Geometry
import Points
import Recipes

extension TilesetBuild {
    /// Builds the archive from parts that have been read, without cutting the world; nil if they do
    /// not fit into the memory.
    public func runParts(_ names: [String]) throws -> BuildReport? {
        let points = try points(inParts: names)
        let memory = MemoryLimit(allowed: options.memory, threads: options.threads)
        guard points.memoryForecast.bytes <= memory.allowed else { return nil }
        let sink = try container.sink(to: path, options: sinkOptions)
        var clock = StageClock()
        try begin(.read)
        var inputs = try clock.time(.read) { try points.inMemory() }
        try findFacets(of: &inputs)
        guard MemoryForecast(for: inputs).bytes <= memory.allowed else { return nil }
        return try run(inputs, to: sink, &clock)
    }
}

extension PartPoints {
    /// The memory for a build in one piece.
    var memoryForecast: MemoryForecast {
        let layers = heads.flatMap(\.survey.layers)
        let points = layers.reduce(0) { $0 + $1.points }
        let perPoint = MemoryLayout<WorldPoint>.stride + MemoryLayout<UInt64>.stride
        return MemoryForecast(
            points: points,
            tableBytes: layers.reduce(points * perPoint) { $0 + $1.recordBytes },
            carried: points * (recipe.layers.map { CarriedBytes(of: $0).ofPoint }.max() ?? 0))
    }

    /// All points of each layer.
    func inMemory() throws -> [LayerInput] {
        var tables = recipe.layers.map { _ in PointTable(keys: keys) }
        try forEachTable { tables[$1].append($0) }
        let reports = PartReports(heads, recipe).reports
        return recipe.layers.indices.map { layer in
            LayerInput(layer: recipe.layers[layer], table: tables[layer], report: reports[layer])
        }
    }
}
