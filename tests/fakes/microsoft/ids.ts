import { createHash } from "node:crypto";
import type { StoredEvent } from "./state";

const digest = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 40);
/** What stands between the id of a series and the date of an occurrence; samples of "List instances" have something like it. */
const MARK = "FRAAgI";

/** A GUID that a text determines. */
export function guidOf(text: string): string {
  const hex = digest(text);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The id of a calendar: "Container types do not support immutable ID, but their regular IDs were already constant". */
export const calendarIdOf = (serial: number) => `AAMkAGFj${digest(`calendar ${serial}`)}AuAAAAAA=`;

/**
 * The two ids of an event. Page "Obtain immutable identifiers": ids are case-sensitive, so every second one here differs from the one
 * before by the case of a letter alone.
 */
export function eventIds(serial: number): { id: string; immutableId: string } {
  const letter = serial % 2 === 0 ? "q" : "Q";
  const pair = Math.floor(serial / 2);
  return {
    id: `AAMkAGFm${digest(`event ${pair}`)}BGAAA${letter}AAA=`,
    immutableId: `AAkALgAA${digest(`immutable ${pair}`)}AC-E${letter}AA=`,
  };
}

/** The id that a client sees for an event, or for the occurrence of a series on a date. */
export function shownId(event: Pick<StoredEvent, "id" | "immutableId">, immutable: boolean, date?: string): string {
  const id = immutable ? event.immutableId : event.id;
  if (date === undefined) return id;
  return `${id.replace(/=+$/, "")}${MARK}${Buffer.from(date).toString("base64url")}AAAEA==`;
}

/** Whether an id in a request, of either kind, is this event's; [K]: Exchange tells the kinds apart by their form. */
export const isIdOf = (event: Pick<StoredEvent, "id" | "immutableId">, id: string) =>
  id === event.id || id === event.immutableId;

/** The beginning of the series' id and the date of an occurrence's id. */
export function occurrenceParts(id: string): { stem: string; date: string } | undefined {
  const [, stem, coded] = new RegExp(`^(.+)${MARK}(.+)AAAEA==$`).exec(id) ?? [];
  return stem && coded ? { stem, date: Buffer.from(coded, "base64url").toString() } : undefined;
}
