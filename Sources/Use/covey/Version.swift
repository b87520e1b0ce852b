/// The version of the program in `covey --version` and in an archive's `generator`.
let version = "0.1.0"
