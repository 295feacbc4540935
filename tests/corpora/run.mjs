import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { compare } from "./compare.mjs";
import { startReader } from "./reader.mjs";
import { reasonFor, unfolded } from "./reasons.mjs";
import { print } from "./report.mjs";

const root = resolve(import.meta.dirname, "../..");
const [folder, report] = process.argv.slice(2);

if (folder === undefined) {
  say("usage: npm run corpora -- <folder of .ics files> [<file for the details, as JSON>]");
  process.exit(2);
}

/**
 * `npm run corpora -- <folder>`: reads every .ics file of a folder as a sync does and with independent readers (libical by a C compiler and
 * libical-dev, icalendar with recurring-ical-events and dateutil by Debian's Python, and ical.js), and prints where they differ. At least
 * two of them are needed.
 */
const bin = mkdtempSync(join(tmpdir(), "corpora-"));
const readers = [await ours(), ...others()].map(([name, command, ...args]) => startReader(name, command, args));
try {
  if (readers.length < 3)
    throw new Error("two other readers are needed: apt-get install libical-dev python3-recurring-ical-events");
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ics|ical|ifb)$/i.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
  const compared = [];
  for (const path of files) {
    const years = yearsOf(unfolded(readFileSync(path, "latin1")));
    const request = `${years[0]} ${years[1]} ${path}`;
    const answers = await Promise.all(readers.map((reader) => reader.read(request)));
    const names = readers.map(({ name }) => name);
    compared.push({ path, ...explained(compare(answers, names), path) });
  }
  print(
    compared,
    readers.map(({ name }) => name),
  );
  if (report) writeFileSync(report, JSON.stringify(compared, null, 1));
} finally {
  for (const reader of readers) reader.end();
  rmSync(bin, { recursive: true });
}

async function ours() {
  const outfile = resolve(root, ".next/corpora/ours.mjs");
  await build({
    entryPoints: [join(import.meta.dirname, "ours.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    tsconfig: resolve(root, "tsconfig.json"),
  });
  return ["almanac", process.execPath, outfile];
}

function others() {
  const found = [["ical.js", process.execPath, join(import.meta.dirname, "ical-js.mjs")]];
  const python = ["/usr/bin/python3", "python3"].find(
    (one) => spawnSync(one, ["-c", "import icalendar, recurring_ical_events, dateutil"]).status === 0,
  );
  if (python) found.push(["dateutil", python, join(import.meta.dirname, "recurring.py")]);
  try {
    const program = join(bin, "libical");
    execFileSync("cc", ["-O2", "-o", program, join(import.meta.dirname, "libical.c"), "-lical"], { stdio: "pipe" });
    found.push(["libical", program]);
  } catch {
    say("libical is left out: no C compiler, or no libical-dev");
  }
  return found;
}

/** With the reason for each event that no other reader reads alike, or that two others read alike. */
function explained({ events, ...compared }, path) {
  const text = events.some(isOdd) ? unfolded(readFileSync(path, "utf8")) : "";
  return { ...compared, events: events.map((one) => (isOdd(one) ? { ...one, reason: reasonFor(one, text) } : one)) };
}

function isOdd({ equal, against }) {
  return equal.length === 0 || against.length > 0;
}

function say(text) {
  process.stderr.write(`${text}\n`);
}

/** The years that the file's events begin in, and two more: all readers expand the same ones. */
function yearsOf(text) {
  const events = text.replace(/BEGIN:VTIMEZONE[\s\S]*?END:VTIMEZONE/gi, "");
  const years = [...events.matchAll(/^(?:DTSTART|RECURRENCE-ID)[^\r\n]*?[:]"?((?:19|20)\d\d)-?\d\d-?\d\d/gim)]
    .map(([, year]) => Number(year))
    .sort();
  const first = years[0] ?? 2026;
  return [Math.max(first, 1970), Math.min(years.at(-1) ?? first, first + 12) + 3];
}
