"""The HTML page in a real browser. `CIRCLE_ARTEFACTS` names a folder that keeps the screenshots."""

import base64
import json
import os
import tempfile
import time
import unittest

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

from scene import EVIL, scene

ARTEFACTS = os.environ.get("CIRCLE_ARTEFACTS")


def browser():
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    folder = tempfile.mkdtemp(prefix="circlectl-browser-")
    for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars",
                     f"--user-data-dir={folder}"]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))


def many(changes, servers=20):
    """A manifest of so many changes."""
    users = changes // servers
    lines = ["version: 1", "users:"] + [f"  user{n}: {{}}" for n in range(users)] + ["servers:"]
    for server in range(servers):
        lines += [f"  server-{server}:", f"    name: Server {server}", "    owner: user0",
                  f"    members: [{', '.join(f'user{n}' for n in range(1, users))}]"]
    return "\n".join(lines) + "\n"


class PageTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scene()
        cls.browser = browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()

    def open(self, name, width=1200, height=1600, scheme="light"):
        self.browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500})
        self.browser.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
        self.browser.get("file://" + scene().path(name, "html"))

    def keep(self, name):
        if ARTEFACTS:
            os.makedirs(ARTEFACTS, exist_ok=True)
            self.browser.save_screenshot(os.path.join(ARTEFACTS, name + ".png"))

    def assertQuiet(self, name):
        log = [entry["message"] for entry in self.browser.get_log("browser")]
        self.assertEqual(log, [], name)

    def numbers(self):
        return {
            element.get_attribute("data-count"): int(element.text or element.get_attribute("textContent"))
            for element in self.browser.find_elements(By.CSS_SELECTOR, "[data-count]")
        }

    def test_no_page_has_a_script_error_or_loads_anything(self):
        for name in scene().names:
            self.open(name)
            self.assertQuiet(name)
            loaded = self.browser.execute_script("return performance.getEntriesByType('resource').length")
            self.assertEqual(loaded, 0, name)
            self.assertTrue(self.browser.title.startswith("circlectl "), name)

    def test_the_numbers_are_those_of_the_json_report(self):
        for name in scene().names:
            report = json.loads(scene().report(name, "json"))
            self.open(name)
            numbers = self.numbers()
            for key, value in report.get("summary", {}).items():
                self.assertEqual(numbers[key], value, f"{name}: {key}")
            if report.get("events"):
                self.assertEqual(numbers["events"], len(report["events"]), name)
                counts = {}
                for event in report["events"]:
                    counts[event["name"]] = counts.get(event["name"], 0) + 1
                shown = {
                    element.get_attribute("data-event"): int(element.text)
                    for element in self.browser.find_elements(By.CSS_SELECTOR, "[data-event]")
                }
                self.assertEqual(shown, counts, name)
            for key, value in report.get("faultCounts", {}).items():
                self.assertEqual(numbers[key], value, f"{name}: {key}")
            self.assertEqual(
                self.browser.find_element(By.CSS_SELECTOR, "[data-result]").get_attribute("data-result"),
                report["result"])
            changes = [change for change in report.get("changes", []) if change["kind"] != "unmanaged"]
            rows = self.browser.execute_script("return document.querySelectorAll('tr[data-row]').length")
            if "changes" in report:
                self.assertEqual(rows, len(changes), name)

    def test_what_people_call_themselves_is_text(self):
        self.open("diff-new")
        text = self.browser.execute_script("return document.body.textContent")
        for evil in EVIL:
            if evil.isprintable() and "\u200f" not in evil:
                self.assertIn(evil, text)
        alien = self.browser.execute_script(
            "return document.querySelectorAll('img,iframe,object,embed,link,form,[onload],[onerror],[onmouseover],"
            "a[href]:not([href^=\"#\"])').length + document.scripts.length - 1")
        self.assertEqual(alien, 0)

    def test_a_script_that_got_in_would_not_run(self):
        self.open("diff-new")
        self.browser.execute_script(
            "var s = document.createElement('script'); s.textContent = 'window.taken = 1'; document.body.append(s)")
        self.assertIsNone(self.browser.execute_script("return window.taken || null"))
        self.assertTrue(any("Content Security Policy" in entry["message"] for entry in self.browser.get_log("browser")))

    def test_light_dark_phone_and_print(self):
        colours = {}
        for name in ["blocked", "apply-second", "events"]:
            for scheme in ["light", "dark"]:
                self.open(name, scheme=scheme)
                colours[scheme] = self.browser.execute_script(
                    "return getComputedStyle(document.body).backgroundColor")
                self.keep(f"{name}-{scheme}")
            self.open(name, width=390, height=1400)
            wide = self.browser.execute_script(
                "return document.documentElement.scrollWidth - document.documentElement.clientWidth")
            self.assertLessEqual(wide, 0, f"{name} is wider than a phone")
            self.keep(f"{name}-phone")
            pdf = self.browser.execute_cdp_cmd("Page.printToPDF", {})["data"]
            self.assertTrue(base64.b64decode(pdf).startswith(b"%PDF-"))
            if ARTEFACTS:
                with open(os.path.join(ARTEFACTS, f"{name}.pdf"), "wb") as file:
                    file.write(base64.b64decode(pdf))
        self.assertNotEqual(colours["light"], colours["dark"])
        self.assertQuiet("print")

    def test_it_reads_well_without_eyes(self):
        for name in ["blocked", "apply-second", "events", "validate-wrong", "history"]:
            self.open(name)
            faults = self.browser.execute_script("""
                var faults = [];
                if (!document.documentElement.lang) faults.push('no language');
                if (document.querySelectorAll('h1').length !== 1) faults.push('h1');
                document.querySelectorAll('th').forEach(function (th) {
                  if (!th.textContent.trim() && th.closest('thead').textContent.trim()) faults.push('an empty heading');
                });
                document.querySelectorAll('input,select').forEach(function (field) {
                  if (!field.labels.length) faults.push('a field without a label');
                });
                document.querySelectorAll('svg').forEach(function (svg) {
                  if (svg.getAttribute('aria-hidden') !== 'true' && !svg.getAttribute('aria-label')) faults.push('svg');
                });
                document.querySelectorAll('a[href^="#"]').forEach(function (link) {
                  if (!document.getElementById(link.getAttribute('href').slice(1))) faults.push(link.outerHTML);
                });
                var ids = Array.prototype.map.call(document.querySelectorAll('[id]'), function (e) { return e.id; });
                if (new Set(ids).size !== ids.length) faults.push('an id twice');
                return faults;
                """)
            self.assertEqual(faults, [], name)

    def test_ten_thousand_changes_are_found_at_once(self):
        with open(os.path.join(scene().folder, "ten-thousand.yaml"), "w", encoding="utf-8") as file:
            file.write(many(10_000))
        ending = scene().call(
            ["diff", "ten-thousand.yaml", "--state", "none.db", "--report", "html=big.html", "--report", "json=big.json"])
        self.assertEqual(ending.returncode, 0)
        start = time.monotonic()
        self.open("big")
        self.assertQuiet("big")
        self.assertEqual(self.numbers()["create"], json.loads(scene().report("big", "json"))["summary"]["create"])
        self.assertGreaterEqual(self.numbers()["create"], 10_000)
        self.assertEqual(self.browser.execute_script("return document.querySelectorAll('details[open]').length"), 0)
        self.browser.find_element(By.ID, "search").send_keys("server-7 user123")
        found = self.browser.find_element(By.ID, "found")
        while not found.text and time.monotonic() - start < 60:
            time.sleep(0.05)
        self.assertRegex(found.text, r"^1 of \d+ changes$")
        shown = self.browser.execute_script(
            "return Array.prototype.filter.call(document.querySelectorAll('tr[data-row]'), function (row) {"
            "return row.checkVisibility(); }).map(function (row) { return row.textContent; })")
        self.assertEqual(len(shown), 1)
        self.assertIn("user123", shown[0])
        self.keep("ten-thousand-search")
        print(f"\n10,000 changes: opened and searched in {time.monotonic() - start:.1f} s")


if __name__ == "__main__":
    unittest.main()
