import Clustering
import Geometry
import TileArchive

/// How a build is carried out; nothing here changes what the archive holds.
public struct BuildOptions: Sendable {
    /// Whether an archive of the output's name may be replaced, at the very end.
    public var replacesExisting = false
    public var threads = 2
    /// The most bytes of memory to use; nil is three quarters of the machine's.
    public var memory: Int?
    /// Where temporary files go.
    public var temporaryDirectory = "/tmp"
    /// The folder that relative sources start from.
    public var sourceDirectory: String?
    /// Files beside the points that the build is made of, such as the recipe; the archive may not
    /// replace them either.
    public var otherInputs: [String] = []
    /// What the archive says made it.
    public var generator = "covey"
    /// How a folder is made, where the archive is one.
    public var folder = FolderOptions()
    /// How the world is cut, where that is asked for.
    public var cells = CellOptions()
    /// Whether the points stay in a file beside the archive, for updates.
    public var keepsPoints = false
    /// Looks at the archive, which is complete, before it gets its name; false gives the build up.
    public var willPublish: (@Sendable (_ temporaryPath: String) -> Bool)?
    /// Looks at what becomes of the tiles of an archive that is changed where it lies, and at what it will say of itself;
    /// false gives the build up.
    public var willChange:
        (@Sendable ([(tile: TileID, change: TileChange)], ArchiveMetadata) -> Bool)?
    /// Asked now and then; true gives up and leaves nothing behind.
    public var isCancelled: @Sendable () -> Bool = { false }

    public init() {}

    /// Throws if the build is given up.
    func checkCancelled() throws {
        if isCancelled() { throw BuildError.cancelled }
    }
}

/// How a build is cut into cells.
public struct CellOptions: Sendable {
    /// The zoom of the cells; nil lets the points decide.
    public var zoom: Int?
    /// How far around a cell is looked at first, in radii at the cut; nil is what is usual.
    public var margin: Double?
    /// The folder of the job, which stays; nil is one of our own, if any is needed.
    public var folder: String?
    /// Fetches files of the job that are not in its folder.
    public var remote: RemoteFiles?
    /// How many zooms the cut is below cells of a given zoom; nil is what is usual.
    package var cutDepth: Int?
    /// How many zooms each level above the cells clusters; nil is what is usual, and 0 makes none.
    package var levelZooms: Int?
    /// About how many leaves a task makes blocks of; nil is what is usual.
    package var leavesInTask: Int?
    /// How many passes a zoom is supposed to take at most, until a cell finds more.
    package var passLimit = ClusterOptions.usualPassLimit

    public init() {}

    /// Whether the build is cut even if it fits the memory.
    var isForced: Bool { zoom != nil || folder != nil }
}
