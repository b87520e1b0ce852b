// Inflates bytes in one go and as a stream, whole and in small steps: all must say the same, and none
// may take more than the limit.

import Compression

private let limit = 1 << 18

private func inSteps(_ bytes: [UInt8], _ step: Int) -> Result<[UInt8], CompressionError> {
    var stream = InflateStream(format: .gzip)
    var output: [UInt8] = []
    var start = 0
    do throws(CompressionError) {
        while start < bytes.count {
            let part = bytes[start..<min(start + step, bytes.count)]
            let used = try stream.inflate(
                Array(part).span, appendingTo: &output, atMost: limit + 1 - output.count)
            if output.count > limit { return .failure(.tooLarge(limit: limit)) }
            if used == 0 { break }
            start += used
        }
        try stream.finish()
        return .success(output)
    } catch {
        return .failure(error)
    }
}

private func atOnce(_ bytes: [UInt8]) -> Result<[UInt8], CompressionError> {
    do throws(CompressionError) {
        var inflater = GzipInflater()
        return .success(try inflater.inflate(bytes.span, limit: limit))
    } catch {
        return .failure(error)
    }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzGzip(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let whole = atOnce(bytes)
    if case .success(let output) = whole { precondition(output.count <= limit) }
    for step in [7, 1_000] {
        guard case .success(let output) = inSteps(bytes, step) else { continue }
        guard case .success(let same) = whole else { fatalError("only a stream reads it") }
        precondition(output == same, "steps give other bytes")
    }
    _ = try? InflateStream.inflate(bytes.span, format: .raw, limit: limit)
    return 0
}
