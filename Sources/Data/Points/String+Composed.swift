extension String {
    /// The text in Unicode's normalization form C, so that letters that look alike have the same bytes. Names of files
    /// come decomposed from some systems.
    public var composed: String { String(decoding: _nfcCodeUnits, as: UTF8.self) }
}
