import ICAL from "ical.js";
import type { Component } from "@/server/providers/caldav/icalendar/calendar-object";

/** One property: `name` in upper case, parameters by names in lower case, the value as it was written. */
export interface ContentLine {
  name: string;
  params: Readonly<Record<string, string>>;
  value: string;
}

// Without descriptions of properties ical.js leaves values alone.
const design = { property: Object.create(null), param: ICAL.design.icalendar.param, value: {}, propertyGroups: false };
/** ical.js loses its way in lists of quoted values; nothing that is read here is one. */
const quotedList = /;[\w-]+="[^"]*"(?:,"[^"]*")+/g;

/** Reads a line; null when it is none. */
export function readLine(line: string): ContentLine | null {
  try {
    const head = headOf(line);
    const plain = head.replace(quotedList, "") + line.slice(head.length);
    const [name, params, type, value] = ICAL.parse.property(plain, design) as unknown[];
    if (typeof name !== "string" || typeof value !== "string") return null;
    const read: Record<string, string> = {};
    for (const [key, given] of Object.entries(params as Record<string, unknown>)) {
      if (typeof given === "string") read[key] = given;
    }
    if (typeof type === "string" && type !== "unknown") read.value = type;
    return { name: name.toUpperCase(), params: read, value };
  } catch {
    // Throwing is ical.js's only answer to a line that is none.
    return null;
  }
}

/** Writes a line, unfolded; parameters that are null are left out, others quoted where it needs be (RFC 6868). */
export function line(name: string, value: string, params: Readonly<Record<string, string | null>> = {}): string {
  const given = Object.entries(params).filter(([, text]) => text !== null);
  const jCal = [name.toLowerCase(), Object.fromEntries(given), "unknown", value];
  return ICAL.stringify.property(jCal, design, true);
}

/** The properties of a name, in their order; lines that cannot be read are passed over. */
export function propertiesOf({ lines }: Component, name: string): ContentLine[] {
  return lines.filter((one) => isOf(one, name)).flatMap((one) => readLine(one) ?? []);
}

export function propertyOf(component: Component, name: string): ContentLine | null {
  return propertiesOf(component, name)[0] ?? null;
}

/** Puts lines in the place of all of some names: where the first of them stood, else at the end. */
export function replaceLines(component: Component, names: readonly string[], lines: readonly string[]): void {
  const isOne = (text: string) => names.some((name) => isOf(text, name));
  const at = component.lines.findIndex(isOne);
  const before = at < 0 ? component.lines : component.lines.slice(0, at);
  const after = at < 0 ? [] : component.lines.slice(at).filter((text) => !isOne(text));
  component.lines = [...before, ...lines, ...after];
}

/** A line with a parameter added, replaced or, null, taken off; its other parameters stay as they were written. */
export function withParam(text: string, name: string, value: string | null): string {
  const head = headOf(text);
  const others = head.replace(new RegExp(`;${name}=(?:"[^"]*"|[^";,:]*)(?:,(?:"[^"]*"|[^";,:]*))*`, "gi"), "");
  const added = value === null ? "" : line("X", "", { [name]: value }).slice(1, -1);
  return `${others}${added}${text.slice(head.length)}`;
}

/** Whether a line is of a property. */
export function isOf(text: string, name: string): boolean {
  const after = text.charAt(name.length);
  return (after === ":" || after === ";") && text.slice(0, name.length).toUpperCase() === name;
}

/** What stands before the value. */
function headOf(text: string): string {
  const head = /^[^":]*(?:"[^"]*"[^":]*)*/.exec(text)?.[0] ?? "";
  return text.charAt(head.length) === ":" ? head : (text.split(":", 1)[0] ?? "");
}
