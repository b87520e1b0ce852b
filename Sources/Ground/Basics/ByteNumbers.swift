/// Distinct strings of bytes, numbered as they first come. One that comes again is found without a copy.
package struct ByteNumbers: Sendable {
    private var bytes: [UInt8] = []
    /// The string of a number ends at `ends[number + 1]`.
    private var ends: [Int] = [0]
    private var hashes: [UInt64] = []
    /// Open addressing: the number of a string plus one, or 0; at most half is used.
    private var table = [Int32](repeating: 0, count: 64)
    /// The number that was asked for last, which is likely to come again.
    private var last = 0

    package init() {}

    package init(_ texts: [String]) { for text in texts { _ = number(of: text.utf8.span) } }

    package var count: Int { hashes.count }

    package func bytes(_ number: Int) -> [UInt8] { Array(bytes[ends[number]..<ends[number + 1]]) }

    /// The number of a string that has come; nil for any other.
    package func find(_ string: Span<UInt8>) -> Int? {
        if count == 1 { return isSame(0, string) ? 0 : nil }
        let number = table[place(of: string, ByteHash(string).value)]
        return number == 0 ? nil : Int(number) - 1
    }

    /// The number of a string; a new one gets the next.
    package mutating func number(of string: Span<UInt8>) -> Int {
        if last < count, isSame(last, string) { return last }
        let hash = ByteHash(string).value
        let place = place(of: string, hash)
        last = Int(table[place]) - 1
        guard last < 0 else { return last }
        last = count
        for index in string.indices { bytes.append(string[index]) }
        ends.append(bytes.count)
        hashes.append(hash)
        table[place] = Int32(count)
        if 2 * count > table.count { grow() }
        return last
    }

    /// Where a string is in the table, or else the free place where it belongs.
    private func place(of string: Span<UInt8>, _ hash: UInt64) -> Int {
        var place = start(of: hash)
        while table[place] != 0 {
            let number = Int(table[place]) - 1
            if hashes[number] == hash, isSame(number, string) { break }
            place = (place + 1) & (table.count - 1)
        }
        return place
    }

    /// Folded, so that the place depends on all bits.
    private func start(of hash: UInt64) -> Int {
        Int(truncatingIfNeeded: hash ^ (hash >> 32)) & (table.count - 1)
    }

    private func isSame(_ number: Int, _ string: Span<UInt8>) -> Bool {
        let start = ends[number]
        guard ends[number + 1] - start == string.count else { return false }
        for index in string.indices where bytes[start + index] != string[index] { return false }
        return true
    }

    private mutating func grow() {
        table = [Int32](repeating: 0, count: 2 * table.count)
        for (number, hash) in hashes.enumerated() {
            var place = start(of: hash)
            while table[place] != 0 { place = (place + 1) & (table.count - 1) }
            table[place] = Int32(number + 1)
        }
    }
}
