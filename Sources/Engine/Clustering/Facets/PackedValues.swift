import Basics
import Points

/// Distinct packed values, numbered as they first occur. A value that occurs again is found by its bytes.
struct PackedValues: Sendable {
    private var bytes: [UInt8] = []
    private var ends: [Int] = [0]
    private var hashes: [UInt64] = []
    /// A hash table with open addressing: the number of a value plus one, or 0.
    private var table = [Int32](repeating: 0, count: 256)
    private var last = -1

    var count: Int { hashes.count }

    /// A value as it is packed.
    func bytes(_ number: Int) -> [UInt8] { Array(bytes[ends[number]..<ends[number + 1]]) }

    /// The number of a value.
    @inline(__always)
    mutating func number(of value: borrowing PackedValue) -> Int {
        let value = value.bytes
        if last >= 0, isSame(last, value) { return last }
        last = find(value)
        return last
    }

    private mutating func find(_ value: Span<UInt8>) -> Int {
        let hash = ByteHash(value).value
        var place = Int(truncatingIfNeeded: hash) & (table.count - 1)
        while table[place] != 0 {
            let number = Int(table[place]) - 1
            if hashes[number] == hash, isSame(number, value) { return number }
            place = (place + 1) & (table.count - 1)
        }
        hashes.append(hash)
        for index in value.indices { bytes.append(value[index]) }
        ends.append(bytes.count)
        table[place] = Int32(hashes.count)
        if 2 * hashes.count > table.count { grow() }
        return hashes.count - 1
    }

    private func isSame(_ number: Int, _ value: Span<UInt8>) -> Bool {
        let start = ends[number]
        guard ends[number + 1] - start == value.count else { return false }
        for index in value.indices where bytes[start + index] != value[index] { return false }
        return true
    }

    private mutating func grow() {
        table = [Int32](repeating: 0, count: 2 * table.count)
        for (number, hash) in hashes.enumerated() {
            var place = Int(truncatingIfNeeded: hash) & (table.count - 1)
            while table[place] != 0 { place = (place + 1) & (table.count - 1) }
            table[place] = Int32(number + 1)
        }
    }
}
