import ArchiveContract
import Basics
import Geometry
import Points
import TileArchive
import VectorTile

/// The points of all layers, read from an archive's leaf blocks.
///
/// Memory: the points with their attributes, as in a build.
struct LayerPoints {
    private(set) var tables: [PointTable]
    private let layers: [ClusterDescription.Layer]
    private let keys = AttributeKeys()
    private let opener = TileOpener()

    init(_ layers: [ClusterDescription.Layer]) {
        self.layers = layers
        tables = layers.map { [keys] _ in PointTable(keys: keys) }
    }

    /// Reads all blocks.
    /// - Returns: nil if a block cannot be read or a layer lacks points, which another check finds.
    static func read(
        _ archive: Archive, _ layers: [ClusterDescription.Layer]
    ) throws(ArchiveError) -> [PointTable]? {
        var points = LayerPoints(layers)
        var blocks = try archive.scanLeafBlocks()
        let table = try archive.leafBlockTable()
        while let number = try blocks.next() {
            let first = table.firstLeaf(ofBlock: number)
            do throws(TileFault) {
                try points.append(blocks.bytes, from: first)
            } catch {
                return nil
            }
        }
        let counts = zip(points.tables, layers)
        return counts.allSatisfy { Int64($0.count) == $1.leaves.upperBound - $1.leaves.lowerBound }
            ? points.tables : nil
    }

    /// Adds the points of a block.
    private mutating func append(_ stored: Span<UInt8>, from first: Int64) throws(TileFault) {
        let tile = opener.open(stored.copied[...])
        let bytes = try tile.inflated
        do throws(TileError) {
            var reader = try TileReader(bytes.span)
            while let layer = try reader.nextLayer() {
                let name = layer.name
                // Up to format 3, a block may have points of several layers; joined archives have layers of one name.
                guard
                    let index = layers.firstIndex(where: {
                        $0.name == name && $0.leaves.upperBound > first
                    })
                else { continue }
                let batch = try Self.batch(of: layer, keys)
                tables[index].append(batch)
            }
        } catch {
            throw .contents(error)
        }
    }

    private static func batch(
        of layer: borrowing LayerView, _ keys: AttributeKeys
    ) throws(TileError) -> PointBatch {
        let layerKeys = (0..<layer.keyCount).map { keys.intern(layer.key(at: $0)) }
        var batch = PointBatch()
        var features = layer.features()
        while let feature = try features.next() {
            guard let point = feature.point else { continue }
            var tags = feature.tags()
            while let tag = try tags.next() {
                batch.records.append(
                    layerKeys[tag.key], AttributeValue(layer.value(at: tag.value).value))
            }
            batch.append(
                GridPoint(x: point.x, y: point.y).worldPoint, id: feature.id ?? PointTable.noID)
        }
        return batch
    }
}

extension AttributeValue {
    /// Converts a tile's value to the engine's type.
    init(_ value: TileValue) {
        switch value {
        case .string(let text): self = .text(text)
        case .bool(let bool): self = .bool(bool)
        case .int(let integer), .sint(let integer): self = .integer(integer)
        case .uint(let integer):
            self = Int64(exactly: integer).map(AttributeValue.integer) ?? .unsigned(integer)
        case .float(let number): self = .number(Double(number))
        case .double(let number): self = .number(number)
        }
    }
}
