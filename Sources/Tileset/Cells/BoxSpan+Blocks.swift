import Clustering
import Geometry

extension BlockSink {
    mutating func write(_ span: BoxSpan) {
        write(span.box)
        write(span.turned)
    }

    mutating func write(_ box: WorldBox) {
        for number in [box.minX, box.minY, box.maxX, box.maxY] { write(number) }
    }
}

extension BlockSource {
    mutating func spans(_ count: Int) throws(Damaged) -> [BoxSpan] {
        var spans: [BoxSpan] = []
        for _ in 0..<count { spans.append(BoxSpan(box: try box(), turned: try box())) }
        return spans
    }

    mutating func box() throws(Damaged) -> WorldBox {
        WorldBox(
            minX: try double(), minY: try double(), maxX: try double(), maxY: try double())
    }
}
