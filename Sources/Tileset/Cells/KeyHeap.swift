/// Items by their keys, the least first.
struct KeyHeap<Item> {
    private var entries: [(key: UInt64, item: Item)] = []

    var least: (key: UInt64, item: Item)? { entries.first }

    mutating func insert(_ item: Item, _ key: UInt64) {
        entries.append((key, item))
        var index = entries.count - 1
        while index > 0, entries[index].key < entries[(index - 1) / 2].key {
            entries.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    mutating func removeLeast() -> Item? {
        guard let first = entries.first else { return nil }
        let last = entries.removeLast()
        if !entries.isEmpty {
            entries[0] = last
            sink()
        }
        return first.item
    }

    private mutating func sink() {
        var index = 0
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2]
            where child < entries.count && entries[child].key < entries[least].key {
                least = child
            }
            if least == index { return }
            entries.swapAt(index, least)
            index = least
        }
    }
}
