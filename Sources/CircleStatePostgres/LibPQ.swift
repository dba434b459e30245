import CircleState
import Glibc

/// The functions of libpq that are used here, found when the first state on a server is opened.
///
/// A program that is linked with libpq loads two dozen libraries at each start, also for commands that never see a
/// server.
struct LibPQ {
  typealias Text = UnsafePointer<CChar>
  typealias Texts = UnsafePointer<Text?>
  typealias Handle = OpaquePointer

  // A connection.
  let connect: @convention(c) (Texts, Texts, Int32) -> Handle?
  let status: @convention(c) (Handle) -> Int32
  let errorMessage: @convention(c) (Handle) -> Text?
  let finish: @convention(c) (Handle) -> Void
  let socket: @convention(c) (Handle) -> Int32
  let password: @convention(c) (Handle) -> Text?
  let transactionStatus: @convention(c) (Handle) -> Int32
  let serverVersion: @convention(c) (Handle) -> Int32
  let setNonBlocking: @convention(c) (Handle, Int32) -> Int32
  let setNoticeProcessor:
    @convention(c) (
      Handle, @convention(c) (UnsafeMutableRawPointer?, Text?) -> Void, UnsafeMutableRawPointer?
    ) -> UnsafeRawPointer?
  let getCancel: @convention(c) (Handle) -> Handle?
  let cancel: @convention(c) (Handle, UnsafeMutablePointer<CChar>, Int32) -> Int32
  let libraryVersion: @convention(c) () -> Int32
  let freeCancel: @convention(c) (Handle) -> Void

  // Commands.
  let sendQuery: @convention(c) (Handle, Text) -> Int32
  let sendQueryParams:
    @convention(c) (
      Handle, Text, Int32, UnsafePointer<UInt32>?, Texts?, UnsafePointer<Int32>?, UnsafePointer<Int32>?, Int32
    ) -> Int32
  let flush: @convention(c) (Handle) -> Int32
  let consumeInput: @convention(c) (Handle) -> Int32
  let isBusy: @convention(c) (Handle) -> Int32
  let getResult: @convention(c) (Handle) -> Handle?
  let putCopyData: @convention(c) (Handle, UnsafePointer<CChar>?, Int32) -> Int32
  let putCopyEnd: @convention(c) (Handle, Text?) -> Int32

  // Answers.
  let resultStatus: @convention(c) (Handle) -> Int32
  let resultErrorField: @convention(c) (Handle, Int32) -> Text?
  let commandStatus: @convention(c) (Handle) -> Text?
  let rowCount: @convention(c) (Handle) -> Int32
  let value: @convention(c) (Handle, Int32, Int32) -> UnsafePointer<CChar>?
  let length: @convention(c) (Handle, Int32, Int32) -> Int32
  let isNull: @convention(c) (Handle, Int32, Int32) -> Int32
  let clear: @convention(c) (Handle) -> Void

  /// The library stays loaded until the process ends; loading it again costs next to nothing.
  init() throws(StateError) {
    guard let library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL) else {
      throw .io(
        "states on a PostgreSQL server need libpq, version 5, which is not there (on Debian the package libpq5)")
    }
    connect = try Self.find("PQconnectdbParams", in: library)
    status = try Self.find("PQstatus", in: library)
    errorMessage = try Self.find("PQerrorMessage", in: library)
    finish = try Self.find("PQfinish", in: library)
    socket = try Self.find("PQsocket", in: library)
    password = try Self.find("PQpass", in: library)
    transactionStatus = try Self.find("PQtransactionStatus", in: library)
    serverVersion = try Self.find("PQserverVersion", in: library)
    setNonBlocking = try Self.find("PQsetnonblocking", in: library)
    setNoticeProcessor = try Self.find("PQsetNoticeProcessor", in: library)
    getCancel = try Self.find("PQgetCancel", in: library)
    cancel = try Self.find("PQcancel", in: library)
    libraryVersion = try Self.find("PQlibVersion", in: library)
    freeCancel = try Self.find("PQfreeCancel", in: library)
    sendQuery = try Self.find("PQsendQuery", in: library)
    sendQueryParams = try Self.find("PQsendQueryParams", in: library)
    flush = try Self.find("PQflush", in: library)
    consumeInput = try Self.find("PQconsumeInput", in: library)
    isBusy = try Self.find("PQisBusy", in: library)
    getResult = try Self.find("PQgetResult", in: library)
    putCopyData = try Self.find("PQputCopyData", in: library)
    putCopyEnd = try Self.find("PQputCopyEnd", in: library)
    resultStatus = try Self.find("PQresultStatus", in: library)
    resultErrorField = try Self.find("PQresultErrorField", in: library)
    commandStatus = try Self.find("PQcmdStatus", in: library)
    rowCount = try Self.find("PQntuples", in: library)
    value = try Self.find("PQgetvalue", in: library)
    length = try Self.find("PQgetlength", in: library)
    isNull = try Self.find("PQgetisnull", in: library)
    clear = try Self.find("PQclear", in: library)
  }

  /// The version of the library, such as `15.8`.
  var version: String {
    let number = libraryVersion()
    return "\(number / 10_000).\(number % 10_000)"
  }

  /// - Parameter F: the C function's type, as libpq's header declares it.
  private static func find<F>(_ name: String, in library: UnsafeMutableRawPointer) throws(StateError) -> F {
    guard let symbol = dlsym(library, name) else { throw .io("libpq has no function '\(name)'") }
    return unsafeBitCast(symbol, to: F.self)
  }

  /// What `status`, `transactionStatus` and `resultStatus` answer.
  enum Code {
    static let connectionOK: Int32 = 0
    static let noTransaction: Int32 = 0
    static let commandOK: Int32 = 1
    static let tuplesOK: Int32 = 2
    static let copyIn: Int32 = 4
  }
}
