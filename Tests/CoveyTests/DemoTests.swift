import Testing

#if !DEBUG
    /// `covey demo`: twenty thousand earthquakes, which take a build for debugging too long.
    struct DemoTests {
        @Test func `the demo serves a map of its own data and leaves nothing behind`() throws {
            let terminal = try Terminal()
            let result = try terminal.shell(
                """
                export TMPDIR="$PWD"
                "$COVEY" demo --no-open 2> words & demo=$!
                for i in $(seq 200); do grep -q Ctrl-C words && break; sleep 0.1; done
                address=$(sed -n 's/.* at \\(http[^ ]*\\).*/\\1/p' words)
                curl -fsS "${address}earthquakes" | grep -o '"maxzoom": *[0-9]*' | head -n 1
                kill $demo; wait $demo; echo "ended with $?"; ls -d covey-temporary-* 2> /dev/null
                cat words
                """)
            let lines = result.output.split(separator: "\n").map(String.init)
            #expect(lines.first?.hasSuffix("8") ?? false, "\(result.output)")
            #expect(lines.count > 2 && lines[1] == "ended with 0", "\(result.output)")
            #expect(lines[2].hasPrefix("23,412 earthquakes in "), "\(result.output)")
        }

        @Test func `a demo that is stopped while it builds leaves nothing behind`() throws {
            let terminal = try Terminal()
            let result = try terminal.shell(
                """
                export TMPDIR="$PWD"
                "$COVEY" demo --no-open 2> words & demo=$!
                until ls covey-temporary-*/data/earthquakes.csv 2> /dev/null; do sleep 0.01; done
                kill $demo; wait $demo; echo "ended with $?"; ls -d covey-temporary-* 2> /dev/null
                grep -o "stopped; nothing was written" words
                """)
            let lines = result.output.split(separator: "\n").map(String.init)
            #expect(
                lines.dropFirst() == ["ended with 143", "stopped; nothing was written"],
                "\(result.output)")
        }
    }
#endif
