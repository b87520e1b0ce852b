import Clustering
import Geometry
import Points

// There may be millions of these, so they do without a layout.
extension WorldBox: BlockValue {
    func write(to sink: inout BlockSink) { sink.write(minX, minY, maxX, maxY) }

    init(from source: inout BlockSource) throws(BlockSource.Damaged) {
        self.init(
            minX: try source.double(), minY: try source.double(), maxX: try source.double(),
            maxY: try source.double())
    }
}

extension BoxSpan: BlockValue {
    func write(to sink: inout BlockSink) { sink.write(box, turned) }

    init(from source: inout BlockSource) throws(BlockSource.Damaged) {
        self.init(box: try WorldBox(from: &source), turned: try WorldBox(from: &source))
    }
}

extension DrawnBoxes: BlockRecord {
    static var layout: BlockLayout<Self> { .init(Self.init, \.boxes) }
}
