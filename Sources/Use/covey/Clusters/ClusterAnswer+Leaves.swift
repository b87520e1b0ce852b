import ClusterQueries
import JSON

// The points of a cluster are written block by block, as they may be too many for memory.

extension ClusterAnswer {
    mutating func showLeaves(of id: Int64, on console: Console) throws {
        let numbers = try query.leafNumbers(
            of: id, offset: Int64(arguments[ClustersVerb.offset]),
            limit: Int64(arguments[ClustersVerb.limit]))
        let all = try query.cluster(id).leaves
        if arguments[ClustersVerb.json] || arguments[ClustersVerb.geojson] {
            try writeCollection(of: numbers, total: Int64(all.count), on: console)
        } else if arguments[ClustersVerb.csv] {
            try writeTable(of: numbers, on: console)
        } else {
            // The columns are as wide as their widest cells.
            var rows: [[String]] = []
            try query.forEachBlock(of: numbers) { rows += $0.map(Self.row) }
            show(rows, on: console)
        }
        // Programs find the total in JSON, and those who set the limit know it.
        if numbers.upperBound < all.upperBound, !arguments[ClustersVerb.json],
            !arguments.has(ClustersVerb.limit)
        {
            console.say(
                "these are \(numbers.count.grouped) of \(all.count.grouped) points; "
                    + "--limit \(all.count) shows all")
        }
    }

    private mutating func writeCollection(
        of numbers: Range<Int64>, total: Int64, on console: Console
    ) throws {
        let (head, tail) = GeoJSON.frame(count: Int64(numbers.count), total: total)
        var bytes = Array(head.utf8)
        try query.forEachBlock(of: numbers) { leaves in
            for leaf in leaves {
                if leaf.number > numbers.lowerBound { bytes.append(UInt8(ascii: ",")) }
                GeoJSON.feature(leaf).write(to: &bytes)
            }
            console.write(bytes)
            bytes.removeAll()
        }
        console.write(bytes)
        console.print(tail)
    }

    private mutating func writeTable(of numbers: Range<Int64>, on console: Console) throws {
        var table = LeafTable()
        try query.forEachBlock(of: numbers) { table.addColumns(for: $0) }
        console.print(table.header)
        try query.forEachBlock(of: numbers) { leaves in
            console.write(leaves.flatMap { Array((table.line(of: $0) + "\n").utf8) })
        }
    }
}
