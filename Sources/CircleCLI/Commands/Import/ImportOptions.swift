import CircleReport
import CircleTables
import CommandTree
import Diagnostics
import Glibc
import JSONText

extension ArgumentSpec {
  static let tables = ArgumentSpec(
    "files", shown: "FILE", cardinality: .many, completion: .files, "Tables, - for standard input; gzip is unpacked.")
}

extension OptionSpec {
  /// How tables are read.
  static let tables: [OptionSpec] = [
    .value(
      "format", "FORMAT", choices: TableFormat.allCases.map { Choice($0.rawValue, "\($0.summary.capitalizedFirst).") },
      group: "Tables", default: "by the file's name, else by what it holds", "How the rows are written."),
    .value(
      "delimiter", "CHAR", group: "Tables", default: "found out",
      "What parts the cells of CSV; 'tab' is the tab."),
    .value(
      "encoding", "NAME", group: "Tables", default: "auto",
      "The encoding: auto tells UTF-8, UTF-16 and GB18030 apart; big5, shift_jis, windows-1252 or what else the system knows."
    ),
    .value(
      "map", "FIELD=COLUMN,…", repeatable: true, group: "Tables",
      "Which columns stand for which fields, whatever they are called."),
    .flag("strict", group: "Tables", "A column that stands for no field is an error."),
    .flag(
      "formula-safe", group: "Tables",
      "Strip one apostrophe before =, +, - and @, as an export with --formula-safe writes it."),
  ]

  /// What becomes of rows that are wrong.
  static let tableFaults: [OptionSpec] = [
    .value("max-errors", "N", group: "Faults", default: "100", "Tell at most N faults; all are counted."),
    .value(
      "errors", "FILE", completion: .files, group: "Faults",
      "Write the refused rows as CSV with what is wrong in a last column, to be mended and imported again."),
    .value(
      "on-error", "ACTION",
      choices: [
        Choice("stop", "Nothing is imported."), Choice("skip", "The other rows are imported, and the exit code is 65."),
      ],
      group: "Faults", default: "stop", "What to do when rows are refused."),
  ]
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension CommandRun {
  /// The tables named; standard input for `-`.
  func tableInputs() throws(Failure) -> [TableInput] {
    let names = arguments.arguments("files")
    guard names.count(where: { $0.utf8.elementsEqual("-".utf8) }) <= 1 else {
      throw Failure(.usage, "- is named twice, and standard input can be read only once")
    }
    return names.map { name in
      name.utf8.elementsEqual("-".utf8)
        ? TableInput(name: "(standard input)", origin: .descriptor(context.input))
        : TableInput(name: name, origin: .file(context.resolve(name)))
    }
  }

  /// How the tables are read, as the options say.
  ///
  /// - Parameter schema: whose fields `--map` names.
  func tableOptions(for schema: TableSchema) throws(Failure) -> TableScan.Options {
    var options = TableScan.Options()
    options.reader.format = arguments.value("format").flatMap(TableFormat.init)
    if let text = arguments.value("delimiter") { options.reader.delimiter = try Self.delimiter(text) }
    if let name = arguments.value("encoding"), name.lowercased() != "auto" {
      guard let encoding = TableEncoding(named: name) else {
        throw Failure(
          .usage, "'\(name)' is no name of an encoding",
          next: ["Such names are gb18030, big5, shift_jis, windows-1252."])
      }
      guard encoding.isKnown else {
        throw Failure(
          .usage, "the system knows no encoding '\(name)'", next: ["'iconv -l' lists those that it knows."])
      }
      options.reader.encoding = encoding
    }
    for text in arguments.values("map") { options.binding.map += try Self.map(text) }
    if let problem = schema.problem(ofMap: options.binding.map) {
      throw Failure(.usage, problem.message, next: [problem.help])
    }
    options.binding.isStrict = arguments.flag("strict")
    options.isFormulaSafe = arguments.flag("formula-safe")
    options.maxErrors = try count("max-errors") ?? 100
    options.folder = context.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : context.resolve($0) } ?? "/var/tmp"
    return options
  }

  private static func delimiter(_ text: String) throws(Failure) -> UInt8 {
    if text == "tab" || text == "\\t" { return 0x09 }
    guard let byte = text.utf8.first, text.utf8.count == 1, byte < 0x7F, byte == 0x09 || byte >= 0x20,
      byte != UInt8(ascii: "\"")
    else {
      throw Failure(
        .usage, "'\(text)' is no delimiter",
        next: ["--delimiter takes one ASCII character other than a quotation mark."])
    }
    return byte
  }

  /// `field=column,field=column`; a comma that no `field=` follows belongs to the column's name.
  private static func map(_ text: String) throws(Failure) -> [(field: String, column: String)] {
    var entries: [(field: String, column: String)] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      if let equals = part.firstIndex(of: "=") {
        entries.append((String(part[..<equals]), String(part[part.index(after: equals)...])))
      } else if !entries.isEmpty {
        entries[entries.count - 1].column += ",\(part)"
      } else {
        throw Failure(.usage, "--map takes FIELD=COLUMN, and '\(text)' has no '='")
      }
    }
    return entries
  }

  /// A file that an option names, which may replace neither the state nor a table that is read.
  func outputFile(_ option: String, what: String) throws(Failure) -> ReplacedFile? {
    guard let path = arguments.value(option) else { return nil }
    let file = ReplacedFile(path: path, what: what, option: "--\(option)", mode: 0o600)
    try check(file)
    let place = FilePlace(context.resolve(path))
    for name in arguments.arguments("files") where place.isSame(as: context.resolve(name)) {
      throw file.wouldReplace("the table '\(name)'")
    }
    return file
  }

  /// Runs what reads tables, with what stops it in a person's words.
  func onTables<R>(_ body: () throws(TableStop) -> R) throws(Failure) -> R {
    do throws(TableStop) {
      return try body()
    } catch {
      throw failure(error)
    }
  }

  /// A stop that is no fault of the tables.
  func failure(_ stop: TableStop) -> Failure {
    switch stop {
    case .fault(let fault): Failure(.badInput, fault.message)
    case .failed(let sentence): Failure(.failed, sentence, next: ["TMPDIR names another folder for temporary files."])
    case .interrupted(let signal): Failure(interruptedBy: signal)
    }
  }

  /// Reads all tables named.
  ///
  /// - Returns: whether all could be read to their ends.
  func readTables(
    _ scan: TableScan, _ read: (TableInput, (Int, Int?) -> Void) throws(TableStop) -> Void
  ) throws(Failure) -> Bool {
    for input in try tableInputs() {
      try phase(.readingRows) { () throws(Failure) in
        do throws(TableStop) {
          try read(input) { rows, share in stopwatch.count(rows, share: share) }
        } catch {
          guard case .fault(let fault) = error else { throw failure(error) }
          scan.diagnostics.append(fault)
        }
      }
    }
    try checkInterrupted()
    for found in scan.encodings { note("'\(found.table)' is read as \(found.encoding)") }
    detail("read \(grouped(scan.rowCount, "row"))")
    return scan.isWhole
  }

  /// Writes the refused rows where `--errors` asks for them. Where none was refused no file is made, but one that is there
  /// loses the rows of an earlier run.
  func writeRefused(_ scan: TableScan, to file: ReplacedFile?) throws(Failure) {
    guard let file, let refused = scan.refused, !refused.isEmpty || file.exists(in: context) else { return }
    var writer = DelimitedWriter()
    var stop: TableStop?
    try file.write(in: context) { (descriptor) throws(Failure) in
      stop = try refused.write(to: &writer) { (writer) throws(Failure) in
        try drain(&writer, to: descriptor, of: file, atLeast: 256 << 10)
      }
      try drain(&writer, to: descriptor, of: file, atLeast: 1)
    }
    if let stop { throw failure(stop) }
    let cutOff = refused.cutOff
    guard cutOff.count > 0 else { return }
    let places = cutOff.places.map { "\(scan.files.path(of: $0.file)):\($0.line)" }.joined(separator: ", ")
    note(
      "of \(grouped(cutOff.count, "row")) longer than 1 MiB '\(file.path)' has only the beginning: \(places)\(cutOff.count > cutOff.places.count ? ", …" : "")"
    )
  }

  private func drain(
    _ writer: inout DelimitedWriter, to descriptor: CInt, of file: ReplacedFile, atLeast least: Int
  ) throws(Failure) {
    try writer.buffer.drain(atLeast: least) { (bytes) throws(Failure) in try file.write(bytes, to: descriptor) }
  }
}
