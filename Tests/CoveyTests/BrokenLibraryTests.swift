import Testing

/// Libraries that are there and cannot be loaded.
struct BrokenLibraryTests {
    #if os(Linux)
        @Test func `a PROJ that is broken is told as that, and not as one that is missing`() throws
        {
            let terminal = try Terminal()
            try terminal.write("lon,lat\n691000,5334000\n", to: "a.csv")
            let result = try terminal.shell(
                """
                mkdir lib
                for version in "" .25 .26 .22 .19 .17 .15; do echo no > lib/libproj.so$version; done
                LD_LIBRARY_PATH=$PWD/lib "$COVEY" build a.csv -o a.mbtiles --crs EPSG:25832
                """)
            #expect(result.exitCode != 0)
            // That of the last name that is tried.
            #expect(result.words.contains("cannot be loaded: "), "\(result.words)")
            #expect(result.words.contains("lib/libproj.so.15: "), "\(result.words)")
        }
    #endif
}
