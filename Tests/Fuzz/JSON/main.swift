import JSON

/// Whatever the bytes, the parser answers; and what it accepts survives both layouts.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzJSON(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeBufferPointer(start: bytes, count: count)
    guard let value = try? JSONValue(parsing: Span(_unsafeElements: input)) else { return 0 }
    precondition((try? JSONValue(parsing: value.text(.compact))) == value)
    precondition((try? JSONValue(parsing: value.text(.pretty))) == value)
    return 0
}
