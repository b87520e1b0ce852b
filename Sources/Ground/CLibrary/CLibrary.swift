// The C library under one name, whichever this system has: mathematics, memory, sockets.
// What concerns files is in `Platform`, behind types.

#if canImport(Glibc)
    @_exported import Glibc
#elseif canImport(Musl)
    @_exported import Musl
#elseif canImport(Darwin)
    @_exported import Darwin
#endif
