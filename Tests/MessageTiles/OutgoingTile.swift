import CProtobufC
import CVectorTile
import VectorTile

/// A tile as protobuf-c's messages, ready to be packed.
@safe
package struct OutgoingTile: ~Copyable {
    private typealias Head = UnsafeMutablePointer<VectorTile__LayerHead>
    private typealias Body = UnsafeMutablePointer<VectorTile__LayerBody>

    private let arena = MessageArena(ceiling: 1 << 40)
    private var layers: [(head: Head, body: Body)] = unsafe []

    package init(_ tile: Tile) {
        for layer in tile.layers { unsafe layers.append(message(of: layer)) }
    }

    /// The tile's bytes.
    package func packed() -> [UInt8] {
        var output: [UInt8] = []
        for index in unsafe layers.indices {
            let (head, body) = unsafe layers[index]
            // Both parts are one layer; see the schema.
            let headSize = unsafe vector_tile__layer_head__get_packed_size(head)
            let bodySize = unsafe vector_tile__layer_body__get_packed_size(body)
            let layer = unsafe [UInt8](unsafeUninitializedCapacity: headSize + bodySize) {
                unsafe vector_tile__layer_head__pack(head, $0.baseAddress)
                unsafe vector_tile__layer_body__pack(body, $0.baseAddress! + headSize)
                $1 = headSize + bodySize
            }
            Self.append(3 << 3 | 2, to: &output)
            Self.append(UInt64(layer.count), to: &output)
            output += layer
        }
        return output
    }

    private static func append(_ value: UInt64, to output: inout [UInt8]) {
        var rest = value
        while rest >= 0x80 {
            output.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        output.append(UInt8(truncatingIfNeeded: rest))
    }

    private func message(of layer: Tile.Layer) -> (Head, Body) {
        let head = unsafe make(vector_tile__layer_head__init)
        unsafe head.pointee.version = layer.version
        let body = unsafe make(vector_tile__layer_body__init)
        unsafe body.pointee.name = data(layer.name)
        unsafe body.pointee.has_extent = 1
        unsafe body.pointee.extent = layer.extent

        var keys = IndexedList<[UInt8]>()
        var values = IndexedList<TileValue>()
        let features = unsafe layer.features.map { feature in
            unsafe message(of: feature, keys: &keys, values: &values)
        }
        unsafe body.pointee.n_features = features.count
        unsafe body.pointee.features = copy(features.map { unsafe Optional($0) })
        unsafe body.pointee.n_keys = keys.elements.count
        unsafe body.pointee.keys = copy(keys.elements.map { unsafe data($0) })
        unsafe body.pointee.n_values = values.elements.count
        unsafe body.pointee.values = copy(values.elements.map { unsafe message(of: $0) })
        return unsafe (head, body)
    }

    private func message(
        of feature: Tile.Feature, keys: inout IndexedList<[UInt8]>,
        values: inout IndexedList<TileValue>
    ) -> UnsafeMutablePointer<VectorTile__Tile__Feature> {
        var tags: [UInt32] = []
        for tag in feature.tags {
            tags.append(keys.index(of: Array(tag.key.utf8)))
            tags.append(values.index(of: tag.value))
        }
        let message = unsafe make(vector_tile__tile__feature__init)
        unsafe message.pointee.has_id = feature.id == nil ? 0 : 1
        unsafe message.pointee.id = feature.id ?? 0
        unsafe message.pointee.n_tags = tags.count
        unsafe message.pointee.tags = copy(tags)
        unsafe message.pointee.has_type = 1
        unsafe message.pointee.type = .init(rawValue: .init(feature.type.rawValue))
        unsafe message.pointee.n_geometry = feature.geometry.count
        unsafe message.pointee.geometry = copy(feature.geometry)
        return unsafe message
    }

    private func message(of value: TileValue) -> UnsafeMutablePointer<VectorTile__Tile__Value>? {
        let message = unsafe make(vector_tile__tile__value__init)
        switch value {
        case .string(let text):
            unsafe message.pointee.has_string_value = 1
            unsafe message.pointee.string_value = data(text)
        case .float(let number):
            unsafe message.pointee.has_float_value = 1
            unsafe message.pointee.float_value = number
        case .double(let number):
            unsafe message.pointee.has_double_value = 1
            unsafe message.pointee.double_value = number
        case .int(let integer):
            unsafe message.pointee.has_int_value = 1
            unsafe message.pointee.int_value = integer
        case .uint(let integer):
            unsafe message.pointee.has_uint_value = 1
            unsafe message.pointee.uint_value = integer
        case .sint(let integer):
            unsafe message.pointee.has_sint_value = 1
            unsafe message.pointee.sint_value = integer
        case .bool(let bool):
            unsafe message.pointee.has_bool_value = 1
            unsafe message.pointee.bool_value = bool ? 1 : 0
        }
        return unsafe message
    }

    /// A message in the arena, set up by its generated `…__init`: nothing else sets all fields.
    private func make<Message>(
        _ initialize: (UnsafeMutablePointer<Message>?) -> Void
    ) -> UnsafeMutablePointer<Message> {
        let memory = unsafe allocate(MemoryLayout<Message>.size)
        let message = unsafe memory.bindMemory(to: Message.self, capacity: 1)
        unsafe initialize(message)
        return unsafe message
    }

    private func copy<Element>(_ elements: [Element]) -> UnsafeMutablePointer<Element> {
        let memory = unsafe allocate(MemoryLayout<Element>.stride * elements.count)
        let copy = unsafe memory.bindMemory(to: Element.self, capacity: elements.count)
        unsafe copy.initialize(from: elements, count: elements.count)
        return unsafe copy
    }

    private func data(_ text: String) -> ProtobufCBinaryData { unsafe data(Array(text.utf8)) }

    private func data(_ bytes: [UInt8]) -> ProtobufCBinaryData {
        unsafe ProtobufCBinaryData(len: bytes.count, data: copy(bytes))
    }

    private func allocate(_ count: Int) -> UnsafeMutableRawPointer {
        guard let memory = unsafe arena.allocate(count) else {
            fatalError("out of memory: a tile's messages do not fit")
        }
        return unsafe memory
    }
}

/// Elements in the order in which they are first asked for.
private struct IndexedList<Element: Hashable> {
    private(set) var elements: [Element] = []
    private var indices: [Element: UInt32] = [:]

    mutating func index(of element: Element) -> UInt32 {
        if let index = indices[element] { return index }
        let index = UInt32(elements.count)
        elements.append(element)
        indices[element] = index
        return index
    }
}
