"""Reports against the schemas that the program publishes, and that stand in docs/schemas."""

import copy
import json
import os
import unittest

from jsonschema import Draft202012Validator

from scene import scene

SCHEMAS = os.path.join(os.path.dirname(__file__), "..", "..", "docs", "schemas")


def published(name):
    with open(os.path.join(SCHEMAS, f"{name}.schema.json"), encoding="utf-8") as file:
        return json.load(file)


def closed(schema):
    """The schema with no room for keys that it does not list: what we write has to be listed."""
    if isinstance(schema, dict):
        schema = {key: closed(value) for key, value in schema.items()}
        if "properties" in schema and "type" in schema:
            schema.setdefault("additionalProperties", False)
    elif isinstance(schema, list):
        schema = [closed(value) for value in schema]
    return schema


def validator(schema):
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(closed(schema), format_checker=Draft202012Validator.FORMAT_CHECKER)


class SchemaTests(unittest.TestCase):
    def check(self, validator, value, what):
        errors = [f"{error.json_path}: {error.message[:300]}" for error in validator.iter_errors(value)]
        self.assertEqual(errors, [], what)

    def test_every_json_report(self):
        reports = validator(published("report"))
        for name in scene().names:
            self.check(reports, json.loads(scene().report(name, "json")), name)

    def test_every_line_of_ndjson(self):
        schema = published("report")
        kinds = {}
        for kind in schema["$defs"]:
            own = copy.deepcopy(schema["$defs"][kind])
            own["$defs"] = schema["$defs"]
            kinds[kind] = validator(own)
        seen = set()
        for name in scene().names:
            for line in scene().report(name, "ndjson").splitlines():
                value = json.loads(line)
                kind = value.pop("type", "event")
                seen.add(kind)
                if kind in ("header", "version", "message", "page"):
                    continue
                # What has no definition of its own is a thing of a list.
                self.check(kinds.get(kind, kinds["row"]), value, f"{name}: {kind}")
        self.assertLessEqual({"archive", "change", "check", "event", "fault", "refusal", "run", "server", "state", "summary"}, seen)

    def test_every_event(self):
        events = validator(published("event"))
        lines = scene().report("events-expanded", "ndjson").splitlines()
        self.assertGreater(len(lines), 20)
        for line in lines:
            self.check(events, json.loads(line), line)

    def test_a_wrong_report_is_refused(self):
        reports = validator(published("report"))
        good = json.loads(scene().report("diff", "json"))
        for key, value in [("result", "perfect"), ("circlectlReport", 2), ("changes", [{}]), ("surprise", 1)]:
            self.assertFalse(reports.is_valid({**good, key: value}), key)

    def test_the_program_writes_what_stands_in_the_documents(self):
        for name in ["report", "event"]:
            self.assertEqual(json.loads(scene().call(["schema", name]).stdout), published(name))


if __name__ == "__main__":
    unittest.main()
