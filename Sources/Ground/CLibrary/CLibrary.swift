// The C library under one name on every system: mathematics, memory, sockets. `Platform` wraps its
// file functions in types.

#if canImport(Glibc)
    @_exported import Glibc
#elseif canImport(Musl)
    @_exported import Musl
#elseif canImport(Darwin)
    @_exported import Darwin
#endif
