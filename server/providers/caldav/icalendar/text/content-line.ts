import ICAL from "ical.js";
import { hasForm, standardLine } from "@/server/providers/caldav/icalendar/lenient/lines";
import type { Component } from "@/server/providers/caldav/icalendar/text/calendar-object";

/** One property: `name` in upper case, parameters by names in lower case, the value as written. */
export interface ContentLine {
  name: string;
  params: Readonly<Record<string, string>>;
  value: string;
}

// Without descriptions of properties ical.js leaves values unchanged.
const design = { property: Object.create(null), param: ICAL.design.icalendar.param, value: {}, propertyGroups: false };
/** The most characters before the value. No calendar program writes longer lines. */
const LONGEST_HEAD = 16_384;

/** Reads a line, its parameters as leniently as the table of lines says. Null when it is invalid. */
export function readLine(line: string): ContentLine | null {
  const read = parsed(line);
  if (read !== null && !read.isOdd) return read.line;
  const standard = standardLine(line, isGood);
  return (standard === line ? read : parsed(standard))?.line ?? null;
}

function isGood(line: string): boolean {
  return parsed(line)?.isOdd === false;
}

/** Parses a line as it is written. `isOdd` means that something in the line may be meant otherwise. */
function parsed(line: string): { line: ContentLine; isOdd: boolean } | null {
  const head = headOf(line);
  if (head === null || head.length > LONGEST_HEAD || line.charAt(head.length) !== ":") return null;
  const [written = "", ...given] = sections(head);
  const params: Record<string, string> = {};
  const name = written.trimEnd().toUpperCase();
  const value = line.slice(head.length + 1);
  let isOdd = !hasForm(name, value);
  for (const section of given) {
    const equals = section.indexOf("=");
    const text = equals > 0 ? paramValue(section.slice(equals + 1)) : null;
    if (text === undefined) return null;
    if (text !== null) params[section.slice(0, equals).trim().toLowerCase()] = text;
    isOdd ||= equals < 0 && section.trim() !== "";
    isOdd ||= section.startsWith('""', equals + 1) && section.length > equals + 3 && text === "";
    isOdd ||= text !== null && isCutAddress(text, value);
  }
  if (params.value !== undefined) params.value = params.value.toLowerCase();
  return { line: { name, params, value }, isOdd };
}

/** Reports whether a parameter without quotes ends at the colon of its own address. */
function isCutAddress(param: string, value: string): boolean {
  if (value.startsWith("//")) return /^[a-z][a-z0-9+.-]*$/i.test(param);
  return (param.length === 6 || param.length === 3) && /^(?:mailto|cid)$/i.test(param);
}

/** Splits the text before a value at the semicolons outside of quotes. */
function sections(head: string): string[] {
  const found: string[] = [];
  let [from, isQuoted] = [0, false];
  for (let at = 0; at < head.length; at += 1) {
    const sign = head.charAt(at);
    if (sign === '"') isQuoted = !isQuoted;
    else if (sign === ";" && !isQuoted) {
      found.push(head.slice(from, at));
      from = at + 1;
    }
  }
  return [...found, head.slice(from)];
}

/**
 * Reads the value of a parameter. Returns null for a list of quoted values, which no property read here uses, and
 * undefined for a quote that never ends.
 */
function paramValue(text: string): string | null | undefined {
  if (!text.startsWith('"')) return unescaped(text);
  const end = text.indexOf('"', 1);
  if (end < 0) return undefined;
  return text.startsWith(',"', end + 1) ? null : unescaped(text.slice(1, end));
}

/** Decodes the escapes of a parameter's value (RFC 6868 §3.1). */
function unescaped(text: string): string {
  return text.includes("^")
    ? text.replace(/\^[n^']/g, (sign) => (sign === "^n" ? "\n" : sign === "^^" ? "^" : '"'))
    : text;
}

/** Writes a line, unfolded. Parameters that are null are omitted, others quoted where necessary (RFC 6868). */
export function line(name: string, value: string, params: Readonly<Record<string, string | null>> = {}): string {
  const given = Object.entries(params).filter(([, text]) => text !== null);
  const jCal = [name.toLowerCase(), Object.fromEntries(given), "unknown", value];
  return ICAL.stringify.property(jCal, design, true);
}

/** How many lines of one property are read by default. */
const MOST_LINES = 10_000;

/** Gives the properties of a name, in order, at most `most`. Invalid lines are skipped. */
export function propertiesOf({ lines }: Component, name: string, most = MOST_LINES): ContentLine[] {
  const found: ContentLine[] = [];
  let left = most;
  for (const one of lines) {
    if (!isOf(one, name)) continue;
    if (left === 0) break;
    left -= 1;
    const read = readLine(one);
    if (read) found.push(read);
  }
  return found;
}

/** Gives the first valid property of a name. */
export function propertyOf({ lines }: Component, name: string): ContentLine | null {
  for (const one of lines) {
    const read = isOf(one, name) ? readLine(one) : null;
    if (read) return read;
  }
  return null;
}

/** Replaces all lines of some names: at the first one's position, otherwise at the end. */
export function replaceLines(component: Component, names: readonly string[], lines: readonly string[]): void {
  const isOne = (text: string) => names.some((name) => isOf(text, name));
  const at = component.lines.findIndex(isOne);
  const before = at < 0 ? component.lines : component.lines.slice(0, at);
  const after = at < 0 ? [] : component.lines.slice(at).filter((text) => !isOne(text));
  component.lines = [...before, ...lines, ...after];
}

/** Gives a line with a parameter added, replaced or, for null, removed. Its other parameters stay as written. */
export function withParam(text: string, name: string, value: string | null): string {
  if (value === null && !text.toUpperCase().includes(`;${name}=`)) return text;
  const good = isGood(text) ? text : standardLine(text, isGood);
  const head = headOf(good) ?? good;
  const others = head.replace(new RegExp(`;${name}=(?:"[^"]*"|[^";,:]*)(?:,(?:"[^"]*"|[^";,:]*))*`, "gi"), "");
  const added = value === null ? "" : line("X", "", { [name]: value }).slice(1, -1);
  return `${others}${added}${good.slice(head.length)}`;
}

/** Tells whether a line belongs to a property. */
export function isOf(text: string, name: string): boolean {
  const after = text.charCodeAt(name.length);
  const ends = after === COLON || after === SEMICOLON || (isBlank(after) && /^\s*[:;]/.test(text.slice(name.length)));
  return ends && text.slice(0, name.length).toUpperCase() === name;
}

const COLON = 0x3a;
const SEMICOLON = 0x3b;

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

/**
 * Returns everything before the value: up to the first colon outside of quotes, or, with unclosed quotes, up to the
 * first colon.
 */
function headOf(text: string): string | null {
  let isQuoted = false;
  for (let at = 0; at < text.length && at <= LONGEST_HEAD; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) isQuoted = !isQuoted;
    else if (code === 0x3a && !isQuoted) return text.slice(0, at);
  }
  const first = text.indexOf(":");
  return first < 0 ? null : text.slice(0, first);
}
