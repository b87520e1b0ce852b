import Platform

/// Checks the paths of archives before one is written.
enum ArchivePaths {
    /// Throws if an output is one of the inputs, by whatever name.
    static func check(_ output: String, against inputs: [String]) throws(ConversionError) {
        guard let target = try? FileStatus(of: output) else { return }
        for input in inputs where (try? FileStatus(of: input))?.identity == target.identity {
            throw .outputIsInput(output)
        }
    }
}
