import FuzzedReading
import PointInput

/// Whatever the bytes claim of groups, pages and runs, the reader answers, and no row is lost.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzParquet(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    FuzzedReading.check(Array(UnsafeBufferPointer(start: bytes, count: count)), as: .parquet)
    return 0
}
