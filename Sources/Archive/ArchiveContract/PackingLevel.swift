/// How hard tiles and blocks are packed, as gzip counts it.
public enum PackingLevel {
    /// What builds do unless told. An archive that was packed so does not say it, and conversions of it pack alike.
    public static let usual = 2
}
