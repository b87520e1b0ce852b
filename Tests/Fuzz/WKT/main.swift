import FuzzedReading
import PointInput

/// Whatever stands in a column of well-known text, the row is kept or counted out. The text alone is
/// read far faster than a table with it; so most texts that are no points go no further.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzWKT(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = Array(UnsafeBufferPointer(start: bytes, count: count))
    guard FuzzedReading.isWellKnownPoint(text) || count % 16 == 0 else { return 0 }
    let quoted = text.flatMap { $0 == UInt8(ascii: "\"") ? [$0, $0] : [$0] }
    FuzzedReading.check(Array("wkt,a\n\"".utf8) + quoted + Array("\",1\n".utf8), as: .csv)
    return 0
}
