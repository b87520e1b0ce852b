import Points
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

    mutating func write(_ drawn: DrawnBoxes) {
        write(drawn.boxes.count)
        for (zoom, box) in drawn.boxes.sorted(by: { $0.key < $1.key }) {
            write(Int(zoom))
            write(box)
        }
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

    mutating func drawnBoxes() throws(Damaged) -> DrawnBoxes {
        var drawn = DrawnBoxes()
        for _ in 0..<max(0, try int()) {
            guard let zoom = UInt8(exactly: try int()) else { throw Damaged() }
            drawn.include(try box(), at: zoom)
        }
        return drawn
    }
}
