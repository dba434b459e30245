import Digest

/// What stands around the content of a page: it loads nothing, and runs no script and no style but its own two, whose
/// digests it names.
enum HTMLFrame {
  static func head(title: String) -> HTML {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="\(policy)">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="referrer" content="no-referrer">
    <meta name="generator" content="circlectl">
    <title>\(title)</title>
    <style>\(HTML(markup: pageStyle))</style>
    </head>
    <body>
    <a class="skip" href="#main">To the content</a>

    """
  }

  static let foot: HTML = """
    <script>\(HTML(markup: pageScript))</script>
    </body>
    </html>

    """

  private static let policy =
    "default-src 'none'; script-src '\(source(pageScript))'; style-src '\(source(pageStyle))'; "
    + "base-uri 'none'; form-action 'none'"

  private static func source(_ text: String) -> String { "sha256-\(base64(SHA256.digest(of: text).bytes))" }
}
