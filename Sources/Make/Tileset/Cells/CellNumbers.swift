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
        var writer = try job.write(job.files.numbers(of: name))
        var sink = BlockSink()
        sink.write(Column(neighbours.map { UInt32($0) }))
        sink.write(covering)
        for (firsts, zooms) in zip(firstLeaves, parentZooms) {
            sink.write(counts: firsts)
            sink.write(zooms)
        }
        try writer.append(sink.bytes)
        try writer.finish()
    }
}

extension CellNumbers {
    init(of number: Int, _ job: CellJob) throws {
        name = job.name(of: number)
        square = job.levels.square(number)
        var (reader, _) = try job.read(job.files.numbers(of: name))
        var source = try reader.block()
        var firsts: [Column<Int>] = []
        var zooms: [Column<Int8>] = []
        let (neighbours, covering) = try reader.decode {
            () throws(BlockSource.Damaged) in
            let neighbours: Column<UInt32> = try source.column()
            let covering = try source.covering()
            for _ in job.units {
                let column = try source.counts()
                firsts.append(column)
                zooms.append(try source.column())
            }
            return (neighbours, covering)
        }
        let cells = job.division.cells.indices
        self.neighbours = (0..<neighbours.count).map { Int(neighbours[$0]) }
        guard zip(firsts, zooms).allSatisfy({ $0.count == $1.count }),
            self.neighbours.allSatisfy(cells.contains)
        else { throw JobError.damaged(path: reader.path) }
        self.covering = covering
        parentZooms = zooms
        firstLeaves = firsts
    }
}
