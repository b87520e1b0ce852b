import ArchiveContract
import Geometry
import Points

/// What the top and the levels tell a square about its nodes.
struct CellNumbers {
    let name: String
    let square: TileID
    /// The cells whose nodes this one may draw.
    let neighbours: [Int]
    /// For each hierarchy, the first leaf within the layer of each node that the square handed up.
    var firstLeaves: [Column<Int>]
    /// The zoom at which the parent of each was formed.
    var parentZooms: [Column<Int8>]
    /// The tiles above that cover tiles of the cell, where some are left out.
    let covering: VariableDepth.Covering

    func write(for job: CellJob) throws {
        try job.write(job.files.numbers(of: name)) { sink in
            sink.write(Column(neighbours.map { UInt32($0) }))
            sink.write(covering)
            for (firsts, zooms) in zip(firstLeaves, parentZooms) {
                sink.write(counts: firsts)
                sink.write(zooms)
            }
        }
    }
}

extension CellNumbers {
    init(of number: Int, _ job: CellJob) throws {
        name = job.name(of: number)
        square = job.levels.square(number)
        let path = job.files.numbers(of: name)
        (neighbours, covering, firstLeaves, parentZooms) = try job.read(path) {
            (source) throws(BlockSource.Damaged) in
            let neighbours: Column<UInt32> = try source.column()
            let covering = try VariableDepth.Covering(from: &source)
            var (firsts, zooms): ([Column<Int>], [Column<Int8>]) = ([], [])
            for _ in job.units {
                firsts.append(try source.counts())
                zooms.append(try source.column())
            }
            return ((0..<neighbours.count).map { Int(neighbours[$0]) }, covering, firsts, zooms)
        }
        guard zip(firstLeaves, parentZooms).allSatisfy({ $0.count == $1.count }),
            neighbours.allSatisfy(job.division.cells.indices.contains)
        else { throw JobError.damaged(path: path) }
    }
}
