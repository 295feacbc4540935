import type { Pieces } from "@/server/domain/pieces";

/**
 * A component of a calendar object. Properties are kept as the lines that were read (unfolded), so that everything unchanged is
 * written back as it was, even properties that nobody understands.
 */
export interface Component {
  /** In upper case: VCALENDAR, VEVENT, VTIMEZONE. */
  name: string;
  lines: string[];
  components: Component[];
}

/** How much of a calendar is read. */
export interface CalendarBounds {
  components: number;
  lines: number;
}

const CALENDAR = "VCALENDAR";
/** Events, tasks, journals, free/busy and time zones: they are in a calendar and never in one another (RFC 5545 §3.6). */
const WHOLE = /^V(?:EVENT|T(?:ODO|IMEZONE)|JOURNAL|FREEBUSY)$/;

/** No calendar program writes an object nested deeper, or with more components or lines. */
const MOST_DEPTH = 64;
const MOST_OF_OBJECT: CalendarBounds = { components: 10_000, lines: 100_000 };
const KEPT_DEPTH = 8;
const LINES_A_PIECE = 500;
const PARTS_A_PIECE = 1_000;
const MOST_OCTETS = 75;
const NEWLINE = "\r\n";

/**
 * Reads the VCALENDAR of a text (RFC 5545 §3.1), with any kind of line ends and whatever stands around it (see `framings`). Several are
 * one with the components of all, and so are events that stand in none.
 * @returns null when there is no calendar, or one too large
 */
export function* calendarRead(text: string, most = MOST_OF_OBJECT): Pieces<Component | null> {
  const top: Component = { name: "", lines: [], components: [] };
  const open: Component[] = [top];
  let [lines, components] = [0, 0];
  for (const line of unfolded(text)) {
    if (line === null) {
      yield;
      continue;
    }
    lines += 1;
    const [, edge, named = ""] = (mayBeEdge(line) && /^\uFEFF?(BEGIN|END)\s*:\s*([\w-]+)\s*$/i.exec(line)) || [];
    const name = named.toUpperCase();
    if (edge === undefined) open.at(-1)?.lines.push(line);
    else if (edge.toUpperCase() === "BEGIN") {
      components += 1;
      open.length = depthFor(name, open);
      const begun: Component = { name, lines: [], components: [] };
      // Components nested too deep are not stored, but their ends are still matched.
      if (open.length <= KEPT_DEPTH) open.at(-1)?.components.push(begun);
      open.push(begun);
    } else {
      const at = open.findLastIndex((one) => one.name === name);
      if (at > 0) open.length = at;
    }
    if (open.length > MOST_DEPTH || components > most.components || lines > most.lines) return null;
  }
  return joined(top);
}

/** Gives the text of a component, its lines folded at 75 octets (RFC 5545 §3.1), without those that are none. */
export function* calendarWritten(component: Component): Pieces<string> {
  const parts: string[] = [];
  for (const line of written(component)) {
    let end = endOfFold(line, 0, MOST_OCTETS);
    parts.push(line.slice(0, end), NEWLINE);
    while (end < line.length) {
      if (parts.length % PARTS_A_PIECE === 0) yield;
      const from = end;
      end = endOfFold(line, from, MOST_OCTETS - 1);
      parts.push(` ${line.slice(from, end)}`, NEWLINE);
    }
    if (parts.length % PARTS_A_PIECE === 0) yield;
  }
  return parts.join("");
}

/** Gives the components of a name, in order. */
export function componentsOf({ components }: Component, name: string): Component[] {
  return components.filter((one) => one.name === name);
}

/** Reports whether a line begins with the first letter of BEGIN or END, or with a byte order mark. */
function mayBeEdge(line: string): boolean {
  const code = line.charCodeAt(0);
  return (code | 0x20) === 0x62 || (code | 0x20) === 0x65 || code === 0xfeff;
}

/**
 * Counts the components that stay open when a component begins. A component that can't contain the new one has ended
 * without saying so, or is read as if it weren't there.
 */
function depthFor(name: string, open: readonly Component[]): number {
  if (name === CALENDAR) return 1;
  if (!WHOLE.test(name) || open.some((one) => one.name === "VPOLL")) return open.length;
  return open.findLastIndex((one) => one.name === CALENDAR) + 1 || 1;
}

/** Joins everything in a text into one calendar, with the properties of the first calendar that has events. */
function joined(top: Component): Component | null {
  const calendars = componentsOf(top, CALENDAR);
  const [only] = calendars;
  const outside = top.components.filter(({ name }) => WHOLE.test(name));
  if (calendars.length === 1 && outside.length === 0) return only ?? null;
  const main = calendars.find((one) => componentsOf(one, "VEVENT").length > 0) ?? only;
  if (!main && componentsOf(top, "VEVENT").length === 0) return null;
  const components = [...calendars.flatMap((one) => one.components), ...outside];
  return { name: CALENDAR, lines: main?.lines ?? [], components };
}

/**
 * Yields the non-empty lines of a text, each with its continuation lines. Yields null now and then, which is not a
 * line.
 */
function* unfolded(text: string): Generator<string | null> {
  let parts: string[] = [];
  let looked = 0;
  for (let at = text.startsWith("\uFEFF") ? 1 : 0; at < text.length; ) {
    if (++looked % LINES_A_PIECE === 0) yield null;
    const end = endOfLine(text, at);
    const isContinued = parts.length > 0 && (text.charAt(at) === " " || text.charAt(at) === "\t");
    if (isContinued) parts.push(text.slice(at + 1, end));
    else if (end > at) {
      if (hasText(parts)) yield parts.join("");
      parts = [text.slice(at, end)];
    }
    at = text.startsWith(NEWLINE, end) ? end + 2 : end + 1;
  }
  if (hasText(parts)) yield parts.join("");
}

function endOfLine(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x0a || code === 0x0d) return at;
  }
  return text.length;
}

function hasText(parts: readonly string[]): boolean {
  return parts.some((part) => part.trim() !== "");
}

function* written({ name, lines, components }: Component): Generator<string> {
  yield `BEGIN:${name}`;
  for (const line of lines) if (isContentLine(line)) yield line;
  for (const one of components) yield* written(one);
  yield `END:${name}`;
}

/**
 * Reports whether a line has a name and a value. Lines that don't have both say nothing, and servers refuse a text that
 * contains them.
 */
function isContentLine(line: string): boolean {
  return /^[^\s:;"]+\s*[:;]/.test(line) && line.includes(":");
}

/**
 * Finds where a line that is written from `from` on has to be folded. The folding of ical.js puts a 76th octet on some
 * lines with characters outside ASCII.
 */
function endOfFold(line: string, from: number, most: number): number {
  if ((line.length - from) * 3 <= most) return line.length;
  let octets = 0;
  for (let at = from; at < line.length; ) {
    const codePoint = line.codePointAt(at) ?? 0;
    octets += octetsOf(codePoint);
    if (octets > most) return at;
    at += codePoint > 0xffff ? 2 : 1;
  }
  return line.length;
}

/** Counts the octets of a code point in UTF-8. */
function octetsOf(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}
