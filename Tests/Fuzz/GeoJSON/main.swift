import FuzzedReading
import PointInput

/// Whatever the bytes, the reader answers, and no record is lost.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzGeoJSON(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    FuzzedReading.check(Array(UnsafeBufferPointer(start: bytes, count: count)), as: .geoJSON)
    return 0
}
