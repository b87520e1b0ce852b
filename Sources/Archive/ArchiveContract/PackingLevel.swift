/// The compression level of tiles and blocks, as gzip counts it.
public enum PackingLevel {
    /// The default of builds. Archives packed at this level do not state it, and conversions of them pack at the
    /// same level.
    public static let usual = 2
}
