import Foundation
import MessageTiles
import Testing
import VectorTile

/// A tile with what is known of it.
struct Fixture: CustomTestStringConvertible, Sendable {
    struct Info: Decodable {
        var valid: Bool
        /// `recoverable` or `fatal`, for tiles that are not valid.
        var fault: String?
    }

    let name: String
    let bytes: [UInt8]
    let info: Info
    private let json: Data

    static let all: [Fixture] = {
        guard let folder = Bundle.module.url(forResource: "Fixtures", withExtension: nil) else {
            return []
        }
        let folders = try? FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil)
        return (folders ?? []).compactMap { try? Fixture($0) }.sorted { $0.name < $1.name }
    }()

    var testDescription: String { name }

    private init(_ folder: URL) throws {
        name = folder.lastPathComponent
        bytes = [UInt8](try Data(contentsOf: folder.appending(path: "tile.mvt")))
        json = try Data(contentsOf: folder.appending(path: "tile.json"))
        info = try JSONDecoder().decode(
            Info.self, from: Data(contentsOf: folder.appending(path: "info.json")))
    }

    /// What the tile holds.
    var content: Tile? {
        guard let tile = try? JSONDecoder().decode(Content.self, from: json) else { return nil }
        return Tile(layers: (tile.layers ?? []).map(\.layer))
    }
}

/// The form of `tile.json`.
private struct Content: Decodable {
    var layers: [Layer]?

    struct Layer: Decodable {
        var version: UInt32
        var name: String
        var extent: UInt32?
        var keys: [String]
        var values: [[String: Value]]
        var features: [Feature]

        var layer: Tile.Layer {
            Tile.Layer(
                name: name, version: version, extent: extent ?? 4096,
                features: features.map { feature in
                    let tags = stride(from: 0, to: feature.tags.count, by: 2).map { first in
                        let value = values[feature.tags[first + 1]].first!
                        return Tile.Tag(keys[feature.tags[first]], value.value.typed(value.key))
                    }
                    return Tile.Feature(
                        id: feature.id, type: GeometryType(rawValue: feature.type ?? 0)!,
                        geometry: feature.geometry, tags: tags)
                })
        }
    }

    struct Feature: Decodable {
        var id: UInt64?
        var type: UInt8?
        var tags: [Int]
        var geometry: [UInt32]
    }

    enum Value: Decodable {
        case text(String)
        case number(Double)
        case bool(Bool)

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let bool = try? value.decode(Bool.self) {
                self = .bool(bool)
            } else if let number = try? value.decode(Double.self) {
                self = .number(number)
            } else {
                self = .text(try value.decode(String.self))
            }
        }

        func typed(_ field: String) -> TileValue {
            switch self {
            case .text(let text): .string(text)
            case .bool(let bool): .bool(bool)
            case .number(let number):
                switch field {
                case "float_value": .float(Float(number))
                case "int_value": .int(Int64(number))
                case "uint_value": .uint(UInt64(number))
                case "sint_value": .sint(Int64(number))
                default: .double(number)
                }
            }
        }
    }
}
