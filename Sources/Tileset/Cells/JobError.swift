/// Why a job's folder cannot be used as it is.
public enum JobError: Error, Equatable {
    case cannotWrite(path: String, reason: String)
    case cannotRead(path: String, reason: String)
    case damaged(path: String)
    case otherVersion(path: String)
    /// A file that belongs to a job with other inputs or options.
    case otherJob(path: String)
    case notPlanned(folder: String)
    /// The folder has a plan already, which is not the one that is asked for.
    case plannedOtherwise(folder: String)
    /// A phase that must come first has not been done for these cells.
    case missing(phase: String, cells: [String], folder: String)
    case cannotCut(reason: String)
    case diskTooSmall(folder: String, needed: Int, free: Int)
    /// What the cells hold does not come to what the plan counted.
    case doesNotAddUp(String)
}

extension JobError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .cannotWrite(let path, let reason):
            "\(path): cannot be written: \(reason)\nmake room there, or name another folder"
        case .cannotRead(let path, let reason):
            "\(path): cannot be read: \(reason)\nrun the phase again that writes it"
        case .damaged(let path):
            "\(path): is damaged\nremove it and run its phase again"
        case .otherVersion(let path):
            "\(path): is of another version of covey\n"
                + "finish the job with the version that began it, or plan it again in a new folder"
        case .otherJob(let path):
            "\(path): belongs to a job with other inputs or options\n"
                + "remove it and run its phase again"
        case .notPlanned(let folder):
            "\(folder): holds no plan\nbegin with covey cells plan INPUT… --job \(folder)"
        case .plannedOtherwise(let folder):
            "\(folder): holds the plan of other inputs or options\n"
                + "name another folder, or remove this one"
        case .missing(let phase, let cells, let folder):
            "\(folder): phase \(phase) is not done for \(Self.some(cells))\n"
                + "run covey cells \(phase) --job \(folder); "
                + "covey cells status --job \(folder) tells what may run"
        case .cannotCut(let reason):
            "this build cannot be cut into cells: \(reason)"
        case .diskTooSmall(let folder, let needed, let free):
            "\(folder): the job needs about \(needed >> 20) MiB of disk and there are "
                + "\(free >> 20) MiB\nname a folder on a larger disk with --job or --temp-dir"
        case .doesNotAddUp(let what):
            "the cells do not add up: \(what)\nremove the job's folder and begin again"
        }
    }

    private static func some(_ cells: [String]) -> String {
        let first = cells.prefix(3).joined(separator: ", ")
        return cells.count > 3 ? "\(first) and \(cells.count - 3) more" : first
    }
}
