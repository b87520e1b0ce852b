/// The version of the program, as `covey --version` and an archive's `generator` say it.
let version = "0.1.0"
