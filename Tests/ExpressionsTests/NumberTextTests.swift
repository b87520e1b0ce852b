import Testing

/// Numbers in texts, to and fro, where they have an end or zeros.
struct NumberTextTests {
    @Test(arguments: [
        (#"["number-format",5.1,{}]"#, "5.1"),
        (#"["number-format",5.1,{"min-fraction-digits":2}]"#, "5.10"),
        (#"["number-format",0.05,{}]"#, "0.05"), (#"["number-format",0.5,{}]"#, "0.5"),
        (#"["number-format",10.25,{"max-fraction-digits":1}]"#, "10.3"),
        (#"["number-format",-0.5,{"max-fraction-digits":0}]"#, "-1"),
        (#"["number-format",100,{}]"#, "100"), (#"["number-format",1000,{}]"#, "1,000"),
        (#"["number-format",["/",1,0],{}]"#, "∞"), (#"["number-format",["/",-1,0],{}]"#, "-∞"),
        (#"["to-string",["to-number","-Infinity"]]"#, "-Infinity"),
        (#"["to-string",["to-number"," Infinity "]]"#, "Infinity"),
        (#"["to-string",["to-number","+Infinity"]]"#, "Infinity"),
        (#"["to-string",["to-number","0b101"]]"#, "5"),
        (#"["to-string",["to-number","0o17"]]"#, "15"),
        (#"["to-string",["to-number","-7e-1"]]"#, "-0.7"),
    ])
    func `a number is written with the digits that it has`(source: String, text: String) throws {
        #expect(try TestFeature.cafe.value(of: source).asString == text)
    }

    @Test(arguments: [
        "infinity", "INFINITY", "-infinity", "0x", "0b2", "0o8", "1e", "--1", "1,5", "0x1p3",
    ])
    func `what spells no number is none`(word: String) throws {
        let value = try TestFeature.cafe.value(of: #"["to-number","\#(word)"]"#)
        #expect(value.text().contains("cannot be converted to a number"), "\(word)")
    }
}
