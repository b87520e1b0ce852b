import Geometry
import JSON
import TestSupport
import Testing
import Tileset
import VectorTile

/// Bins in tiles, held against the points by their drawn outlines alone.
struct BinTests {
    /// A polygon as tiles draw it, in units of the world.
    private struct Drawn {
        var ring: [(x: Double, y: Double)]
        var count: Int
        var tags: [String: TileValue]
        var tiles: Set<TileID> = []

        /// Whether a place lies within, or so far beyond its edges at most.
        func holds(_ x: Double, _ y: Double, beyond margin: Double, world: Double) -> Bool {
            [-world, 0, world].contains { turn in
                ring.indices.allSatisfy { index in
                    let (a, b) = (ring[index], ring[(index + 1) % ring.count])
                    let cross = (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x + turn - a.x)
                    let (dx, dy) = (b.x - a.x, b.y - a.y)
                    return cross >= -margin * (dx * dx + dy * dy).squareRoot()
                }
            }
        }
    }

    private static func points(_ count: Int, seed: UInt64) -> [SamplePoint] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { index in
            let isDense = index % 3 == 0
            let longitude = isDense ? 178 + random.unit() * 4 : random.unit() * 360 - 180
            return SamplePoint(
                place: LonLat(
                    longitude: longitude > 180 ? longitude - 360 : longitude,
                    latitude: isDense ? random.unit() * 6 : random.unit() * 168 - 84),
                properties: [("n", .integer(Int64(index % 7))), ("kind", .string("k\(index % 3)"))])
        }
    }

    /// The bins of a zoom by their ids, after it was seen that all tiles draw one alike.
    private static func bins(
        _ baked: BakedArchive, at zoom: UInt8
    ) throws -> (bins: [UInt64: Drawn], world: Double) {
        var found: [UInt64: Drawn] = [:]
        var world = 0.0
        for (id, tile) in baked.tiles where id.z == zoom {
            for layer in tile.layers where layer.name == "points_bins" {
                world = Double(layer.extent) * Double(1 << Int(zoom))
                for feature in layer.features {
                    let rings = Self.rings(feature.geometry)
                    let ring = rings[0].map {
                        (
                            x: Double($0.x) + Double(id.x) * Double(layer.extent),
                            y: Double($0.y) + Double(id.y) * Double(layer.extent)
                        )
                    }
                    let tags = Dictionary(
                        uniqueKeysWithValues: feature.tags.map { ($0.key, $0.value) })
                    let number = try #require(feature.id)
                    guard case .uint(let count)? = tags["point_count"] else {
                        Issue.record("a bin without a count")
                        continue
                    }
                    var drawn = found[number] ?? Drawn(ring: ring, count: Int(count), tags: tags)
                    let turn = drawn.ring[0].x - ring[0].x
                    #expect(turn == 0 || abs(turn) == world)
                    #expect(
                        zip(drawn.ring, ring).allSatisfy { $0.x - $1.x == turn && $0.y == $1.y })
                    #expect(drawn.tags == tags)
                    #expect(drawn.tiles.insert(id).inserted, "twice in one tile")
                    found[number] = drawn
                }
            }
        }
        return (found, world)
    }

    private static func rings(_ geometry: [UInt32]) -> [[(x: Int, y: Int)]] {
        var rings: [[(x: Int, y: Int)]] = []
        var (next, x, y) = (0, 0, 0)
        while next < geometry.count {
            let (command, count) = (geometry[next] & 7, Int(geometry[next] >> 3))
            next += 1
            if command == 7 { continue }
            if command == 1 { rings.append([]) }
            for _ in 0..<count {
                x += Int(Int32(bitPattern: geometry[next] >> 1) ^ -Int32(geometry[next] & 1))
                y += Int(
                    Int32(bitPattern: geometry[next + 1] >> 1) ^ -Int32(geometry[next + 1] & 1))
                next += 2
                rings[rings.count - 1].append((x, y))
            }
        }
        return rings
    }

    @Test(arguments: ["hexagon:40", "hexagon:200", "square:64", "square:256"])
    func `each bin counts the points within what is drawn of it, in all tiles that it meets`(
        bins: String
    ) throws {
        let points = Self.points(600, seed: 21)
        let baked = try BakedArchive(
            points,
            layer: ["clusters": ["aggregates": ["n": "sum:n"], "facets": ["kind"]]],
            tiles: ["maxZoom": 4, "bins": .string(bins), "binsMaxZoom": 3])
        for zoom in UInt8(0)...3 {
            let (found, world) = try Self.bins(baked, at: zoom)
            let buffer = 8 * world / Double(1 << Int(zoom)) / 512
            #expect(found.values.reduce(0) { $0 + $1.count } == points.count)
            let places = points.map { point in
                let place = WorldPoint(point.place)
                return (x: place.x * world, y: place.y * world)
            }
            for bin in found.values {
                func count(_ margin: Double) -> Int {
                    places.count { bin.holds($0.x, $0.y, beyond: margin, world: world) }
                }
                #expect((count(-1)...count(1)).contains(bin.count), "\(bins) at \(zoom)")
                Self.checkTiles(of: bin, zoom, world, buffer: buffer)
            }
            let sum = found.values.reduce(0.0) { sum, bin in
                switch bin.tags["n"] {
                case .uint(let value): sum + Double(value)
                case .int(let value), .sint(let value): sum + Double(value)
                default: sum
                }
            }
            #expect(sum == points.reduce(0) { $0 + ($1.properties[0].1.asNumber ?? 0) })
            #expect(found.values.allSatisfy { $0.tags["#kind"] != nil })
        }
        #expect(try Self.bins(baked, at: 4).bins.isEmpty)
    }

    /// A bin is in each tile whose square, margin included, the box around it meets, and in no other.
    private static func checkTiles(
        of bin: Drawn, _ zoom: UInt8, _ world: Double, buffer: Double
    ) {
        let side = world / Double(1 << Int(zoom))
        let (xs, ys) = (bin.ring.map(\.x), bin.ring.map(\.y))
        var expected: Set<TileID> = []
        for x in 0..<UInt32(1) << UInt32(zoom) {
            for y in 0..<UInt32(1) << UInt32(zoom) {
                let (left, top) = (Double(x) * side, Double(y) * side)
                let columns = left - buffer..<left + side + buffer
                let rows = top - buffer..<top + side + buffer
                let isMet = [-world, 0, world].contains { turn in
                    columns.overlaps((xs.min() ?? 0) + turn..<(xs.max() ?? 0) + turn)
                        && rows.overlaps((ys.min() ?? 0)..<(ys.max() ?? 0))
                }
                if isMet { expected.insert(TileID(z: zoom, x: x, y: y)) }
            }
        }
        #expect(bin.tiles == expected)
    }

    @Test func `bins end where they hold few points, and stand alone where no clusters form`()
        throws
    {
        let points = Self.points(600, seed: 4)
        let baked = try BakedArchive(
            points, layer: ["clusters": ["formed": false, "aggregates": ["n": "mean:n"]]],
            tiles: ["maxZoom": 5, "bins": "square:128"])
        let said = try #require(baked.report.layers[0].bins)
        let counts = try (UInt8(0)...5).map { try Self.bins(baked, at: $0).bins.count }
        #expect(counts.reduce(0, +) == said.count && baked.report.layers[0].clusters == 0)
        let zooms = baked.archive.metadata.vectorLayers.map { [$0.minZoom, $0.maxZoom] }
        #expect(zooms == [[UInt8(said.maxZoom) + 1, 5], [0, UInt8(said.maxZoom)]])
        // Beside clusters, points are there from the first zoom on.
        let clustered = try BakedArchive(points, tiles: ["maxZoom": 5, "bins": "square:128"])
        #expect(clustered.archive.metadata.vectorLayers.map(\.minZoom) == [0, 0])
        for (zoom, count) in counts.enumerated() {
            #expect((count > 0) == (zoom <= said.maxZoom))
            #expect(zoom == 0 || count * 4 <= points.count)
            // Points take over below.
            let own = baked.nodes(at: UInt8(zoom)).filter { $0.tags["point_count"] == nil }
            #expect(own.count == (zoom > said.maxZoom ? points.count : 0), "zoom \(zoom)")
        }
        #expect(said.maxZoom < 5 && said.maxZoom > 0)
    }

    @Test func `bins are the same in any order of the points, and by any number of threads`() throws
    {
        let points = Self.points(400, seed: 8)
        let layer: JSONValue = ["clusters": ["aggregates": ["m": "mean:n", "k": "mode:kind"]]]
        let tiles: JSONValue = ["maxZoom": 5, "bins": "hexagon:30"]
        let baked = try BakedArchive(points, layer: layer, tiles: tiles)
        let turned = try BakedArchive(
            Array(points.reversed()), layer: layer, tiles: tiles, threads: 1)
        #expect(baked.bytes == turned.bytes)
    }

    @Test func `tiles go past the bins that are asked for`() throws {
        let baked = try BakedArchive(
            Self.points(5, seed: 4), tiles: ["bins": "square:256", "binsMaxZoom": 16])
        #expect(baked.report.layers[0].bins?.maxZoom == 16)
        #expect((baked.report.zooms.map(\.zoom).max() ?? 0) > 16)
    }

    @Test func `a build that is cut has no bins, and says why`() throws {
        let builds = try CellBuildTests.Builds(
            [(Self.points(50, seed: 1), [:])], tiles: ["maxZoom": 4, "bins": "hexagon"])
        var cells = CellOptions()
        cells.zoom = 1
        let error = #expect(throws: JobError.self) { try builds.build("cut.mbtiles", cells) }
        #expect(error?.description.contains("bins (--bins) are made of all points at once") == true)
    }

    @Test func `bins that do not fit into the memory are refused before they are laid out`() throws
    {
        let points = Self.points(4_000, seed: 9)
        let builds = try CellBuildTests.Builds(
            [(points, [:])],
            tiles: ["maxZoom": 16, "bins": "square:8", "binsMaxZoom": 16])
        var options = BuildOptions()
        // Enough for the points themselves.
        options.memory = 5 << 20
        let error = #expect(throws: BuildError.self) {
            try TilesetBuild(
                builds.recipe, to: builds.path("many.mbtiles"), options: options
            ).run()
        }
        guard case .notEnoughMemory(let needed, let allowed)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(needed > allowed && allowed == 5 << 20)
    }
}
