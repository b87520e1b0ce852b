import ArchiveContract
import Geometry
import JSON

/// The metadata of an archive, from its `metadata` table (MBTiles 1.3).
public struct ArchiveMetadata: Equatable, Sendable {
    public var name: String
    /// `pbf` for vector tiles.
    public var format = "pbf"
    public var bounds: LonLatBox?
    public var center: LonLat?
    /// The zoom at which `center` is meant to be shown.
    public var centerZoom: UInt8?
    public var minZoom: UInt8?
    public var maxZoom: UInt8?
    /// `overlay` or `baselayer`.
    public var type: String?
    public var version: String?
    public var description: String?
    public var attribution: String?
    /// The program that made the archive.
    public var generator: String?
    public var generatorOptions: String?
    public var vectorLayers: [VectorLayer] = []
    /// Mapbox's `tilestats` object, as it is written.
    public var tileStats: JSONValue?
    /// The MD5 over all tiles in key order; the writer fills it in.
    public var tilesHash: String?
    /// Covey's description of the archive's clusters, as it is written: see `ClusterDescription`.
    public var covey: JSONValue?
    /// Rows without a property above, by name.
    public var others: [String: String] = [:]

    public init(name: String) { self.name = name }

    /// The description of the archive's clusters, or why it cannot be used; nil if there is none.
    public var clusterDescription: Result<ClusterDescription, DescriptionError>? {
        covey.map { json in
            do throws(DescriptionError) {
                return .success(try ClusterDescription(json))
            } catch {
                return .failure(error)
            }
        }
    }
}

/// An entry of `vector_layers` (TileJSON 3.0.0, 3.3).
public struct VectorLayer: Equatable, Sendable {
    public enum FieldType: String, Sendable {
        case number = "Number"
        case boolean = "Boolean"
        case string = "String"
    }

    public struct Field: Equatable, Sendable {
        public var name: String
        public var type: String

        public init(_ name: String, _ type: FieldType) {
            self.name = name
            self.type = type.rawValue
        }

        init(name: String, type: String) {
            self.name = name
            self.type = type
        }
    }

    public var id: String
    public var fields: [Field]
    public var description: String?
    public var minZoom: UInt8?
    public var maxZoom: UInt8?

    public init(
        id: String, fields: [Field], description: String? = nil, minZoom: UInt8? = nil,
        maxZoom: UInt8? = nil
    ) {
        self.id = id
        self.fields = fields
        self.description = description
        self.minZoom = minZoom
        self.maxZoom = maxZoom
    }
}
