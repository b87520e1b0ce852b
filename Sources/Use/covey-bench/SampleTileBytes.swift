import ArchiveContract
import Basics

/// Vector tiles of points with realistic attributes, made byte by byte (MVT 4.2 to 4.4), so that
/// compression is measured on the data of an archive.
struct SampleTileBytes {
    private var random: SplitMix

    init(seed: UInt64) { random = SplitMix(state: seed) }

    /// A tile of `features` points; about a third are clusters.
    mutating func tile(features: Int) -> [UInt8] {
        var layer: [UInt8] = [0x0A, 6] + Array("places".utf8)
        var keys: [String] = []
        var values: [[UInt8]] = []
        for _ in 0..<features {
            let attributes = random(below: 3) == 0 ? cluster() : place()
            var tags: [UInt8] = []
            for (key, value) in attributes {
                Varint.append(Self.index(of: key, in: &keys), to: &tags)
                Varint.append(Self.index(of: value, in: &values), to: &tags)
            }
            var feature: [UInt8] = [0x08]
            Varint.append(random(below: 1 << 24), to: &feature)
            Self.append(field: 0x12, tags, to: &feature)
            var geometry: [UInt8] = [9]
            for _ in 0..<2 { Varint.append(random(below: 8_192), to: &geometry) }
            feature += [0x18, 1]
            Self.append(field: 0x22, geometry, to: &feature)
            Self.append(field: 0x12, feature, to: &layer)
        }
        for key in keys { Self.append(field: 0x1A, Array(key.utf8), to: &layer) }
        for value in values { Self.append(field: 0x22, value, to: &layer) }
        layer += [0x28, 0x80, 0x20, 0x78, 2]
        var tile: [UInt8] = []
        Self.append(field: 0x1A, layer, to: &tile)
        return tile
    }

    private mutating func place() -> [(String, [UInt8])] {
        let kinds = ["cafe", "restaurant", "school", "pharmacy", "bakery"]
        return [
            ("name", text(word() + " " + word())),
            ("kind", text(kinds[Int(random(below: 5))])),
            ("rank", number(random(below: 100))),
        ]
    }

    private mutating func cluster() -> [(String, [UInt8])] {
        let count = 2 + random(below: 40)
        return [
            ("cluster", [0x38, 1]),
            (ClusterAttribute.clusterID.name, number(random(below: 1 << 26))),
            (ClusterAttribute.pointCount.name, number(count)),
            (ClusterAttribute.pointCountAbbreviated.name, text("\(count)")),
            (ClusterAttribute.expansionZoom.name, number(3 + random(below: 12))),
        ]
    }

    private mutating func word() -> String {
        let syllables = ["ber", "lin", "mar", "ka", "sto", "wen", "der", "au", "hof", "nel", "ri"]
        return (0..<(2 + random(below: 2))).map { _ in syllables[Int(random(below: 11))] }
            .joined()
    }

    private func text(_ text: String) -> [UInt8] {
        var value: [UInt8] = []
        Self.append(field: 0x0A, Array(text.utf8), to: &value)
        return value
    }

    private func number(_ number: UInt64) -> [UInt8] {
        var value: [UInt8] = [0x28]
        Varint.append(number, to: &value)
        return value
    }

    private mutating func random(below bound: UInt64) -> UInt64 { random.next() % bound }

    private static func index<Element: Equatable>(
        of element: Element, in list: inout [Element]
    ) -> UInt64 {
        if let index = list.firstIndex(of: element) { return UInt64(index) }
        list.append(element)
        return UInt64(list.count - 1)
    }

    private static func append(field tag: UInt8, _ content: [UInt8], to bytes: inout [UInt8]) {
        bytes.append(tag)
        Varint.append(UInt64(content.count), to: &bytes)
        bytes += content
    }
}
