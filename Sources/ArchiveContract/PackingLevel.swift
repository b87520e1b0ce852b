/// How hard tiles and blocks are packed, as gzip counts it.
public enum PackingLevel {
    /// What builds do unless told. An archive does not say so then, and whoever packs more for it does the same.
    public static let usual = 2
}
