"""A folder in which every command writes its reports in every format, also where it fails or is refused."""

import os
import subprocess
import tempfile

PROGRAM = os.path.abspath(os.environ["CIRCLECTL"])
FORMATS = ["text", "json", "ndjson", "markdown", "html", "junit", "sarif", "github", "gitlab", "cloudevents"]

# What people could call themselves, to break what shows it.
EVIL = [
    "<script>document.title='taken'</script>", "a|b|c", "`code` ``two``", "=cmd()", "\u202egnp.exe",
    "line\nbreak", "::set-output name=x::y", "##[add-path]/tmp", "]]>", "</script><img src=x onerror=alert(1)>",
    "@everyone #1 [x](http://link.example)", '"><svg onload=alert(1)>', "\U0001f600 \u200f\u0639\u0631\u0628\u064a",
    "- [ ] task", "&amp;&#x3c;", "x\\|y", "www.link.example", "${{ secrets.TOKEN }}", "http://link.example/",
    "::error::", "%0A::error::x", "\ufffe\uffff", "' onmouseover='alert(1)", "{{7*7}}", "社区 <b>粗</b>",
]


def quoted(text):
    """The text in YAML, in double quotes."""
    return '"' + "".join(c if c.isalnum() and c.isascii() else f"\\U{ord(c):08x}" for c in text) + '"'


def manifest(drop=(), promote=(), owner="u0", desc="A place", extra=""):
    """One server of everyone, with each of the evil names as a user, a tag and a server."""
    lines = ["version: 1", "users:"]
    for number, evil in enumerate(EVIL):
        lines.append(f"  u{number}: {{nickName: {quoted(evil)}, devices: [phone, mac]}}")
    members = [f"u{n}" for n in range(1, len(EVIL)) if f"u{n}" not in drop and f"u{n}" not in promote]
    lines += ["servers:", "  everyone:", f"    name: {quoted(EVIL[0])}", f"    desc: {quoted(desc)}",
              f"    owner: {owner}", f"    tags: [{quoted(EVIL[8])}]"]
    if promote:
        lines.append(f"    moderators: [{', '.join(promote)}]")
    lines.append(f"    members: [{', '.join(members)}]")
    for number, evil in enumerate(EVIL):
        lines += [f"  s{number}:", f"    name: {quoted(evil)}", f"    desc: {quoted(desc + evil)}",
                  f"    owner: u{number}", f"    members: [u{(number + 1) % len(EVIL)}]"]
    return "\n".join(lines) + "\n" + extra


class Scene:
    """The reports, made once: `scene.report(name, format)` is the text of one."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="circlectl-readers-")
        self.names = {}
        self.minute = 0
        files = {
            "first.yaml": manifest(),
            "second.yaml": manifest(promote=("u1", "u2"), desc=EVIL[10]),
            "guarded.yaml": manifest(drop=[f"u{n}" for n in range(2, 20)], owner="u3", desc=EVIL[3]),
            "wrong.yaml": manifest(extra="  x:\n    nmae: 中文😀 \"x\"\n    owner: nobody\n    owner: u1\n"),
            "many.yaml": "version: 1\n" + "".join(f"wrong{n}: \"]]>\"\n" for n in range(150)),
        }
        for name, text in files.items():
            with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        self.make()

    def make(self):
        self.run("validate", "validate first.yaml")
        self.run("validate-wrong", "validate wrong.yaml", 65)
        self.run("validate-many", "validate many.yaml", 65)
        self.run("diff-new", "diff first.yaml")
        self.run("diff-summary", "diff first.yaml --detail summary")
        self.run("missing", "events list --state none/x.db")
        self.run("apply", "apply first.yaml --yes")
        self.run("unchanged", "apply first.yaml --yes")
        self.run("diff", "diff second.yaml --detail full")
        self.run("apply-second", "apply second.yaml --yes --reason " + EVIL[1])
        self.run("blocked", "diff guarded.yaml", 3)
        self.run("refused", "apply guarded.yaml --yes", 3)
        self.run("dry-run", "apply first.yaml --dry-run --allow remove:moderator@everyone<=2")
        self.run("no-terminal", "apply first.yaml --allow remove:moderator@everyone<=2", 64)
        self.run("events", "events list")
        self.run("events-expanded", "events list --expand-audience --limit 60")
        self.run("release", "server release s3")
        self.run("set-limit", "state set-limit created 200")
        for word in ["info", "verify", "history", "unlock"]:
            self.run(word, f"state {word}")
        self.run("archive-dry-run", "events archive --before 2026-01-05T09:08:00Z old.ndjson --dry-run")
        self.run("archive", "events archive --before 2026-01-05T09:08:00Z old.ndjson")
        self.run("verify-log", "events verify --archive old.ndjson")
        for word in ["info", "verify", "history"]:
            self.run(f"{word}-archived", f"state {word}")
        self.run("events-archived", "events list --archive old.ndjson --expand-audience --limit 60")
        self.run("why-archived", "why everyone")
        self.run("doctor", "doctor")
        self.run("init", "state init --state other.db")
        self.run("init-again", "state init --state other.db", 3)
        self.run("export", "export", output=False)
        self.run("version", "version")
        self.run("schema", "schema report", output=False)

    def run(self, name, line, status=0, output=True):
        """Runs a command with all reports at once, and checks that standard output has the same as each file."""
        self.minute += 1
        words = line.split(" ") if "reason" not in line else line.split(" ", 4)
        common = ["--now", f"2026-01-05T09:{self.minute:02}:00Z", "--id-seed", name]
        if "--state" not in words:
            common += ["--state", "circle.db"]
        reports = [f"--report={format}={name}.{format}" for format in FORMATS]
        ending = self.call(words + common + reports)
        assert ending.returncode == status, f"{line}: {ending.returncode}\n{ending.stderr}"
        self.names[name] = line

    def call(self, words, **environment):
        return subprocess.run(
            [PROGRAM] + words, cwd=self.folder, capture_output=True, text=True, stdin=subprocess.DEVNULL,
            env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", **environment})

    def path(self, name, format):
        return os.path.join(self.folder, f"{name}.{format}")

    def report(self, name, format):
        with open(self.path(name, format), encoding="utf-8", newline="") as file:
            return file.read()


_scene = None


def scene():
    """The one scene of all tests."""
    global _scene
    _scene = _scene or Scene()
    return _scene
