import FuzzedReading
import PointInput

/// Whatever the bytes claim of columns, batches and buffers, the reader answers, and no row is lost.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzArrow(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    FuzzedReading.check(Array(UnsafeBufferPointer(start: bytes, count: count)), as: .arrow)
    return 0
}
