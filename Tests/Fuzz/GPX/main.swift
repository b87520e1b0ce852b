import PointInput

/// Whatever the bytes and however they arrive, the scanner ends with the same tags or a fault.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzGPX(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let document = Array(UnsafeBufferPointer(start: bytes, count: count))
    let (slow, fast) = (tags(of: document, step: 1), tags(of: document, step: 1_000))
    guard slow == fast else {
        let first = zip(slow + [""], fast + [""]).first { $0 != $1 }
        fatalError("\(first?.0 ?? "nothing") becomes \(first?.1 ?? "nothing")")
    }
    return 0
}

func tags(of document: [UInt8], step: Int) -> [String] {
    var rest = document[...]
    var scanner = XMLScanner { (buffer) throws(XMLFault) in
        buffer += rest.prefix(step)
        rest = rest.dropFirst(step)
    }
    var tags: [String] = []
    do {
        while true {
            let tag = try scanner.next()
            tags.append("\(tag) \(scanner.name) \(scanner.attributes) \(scanner.text)")
            if tag == .endOfDocument { return tags }
        }
    } catch {
        return tags + ["\(error) on line \(scanner.line)"]
    }
}
