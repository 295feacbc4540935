import { createHash } from "node:crypto";
import { type EventRights, rightsOf } from "@/server/services/named-events/rights";
import { singleEventWriter } from "@/server/services/reads/events/single-event";
import type { AccountContext } from "@/server/services/trpc";
import type { NamedEvent, NamedOccurrence } from "@/server/store/events/named-event";

/** An event as GET /v1/events/{event_uid} returns it. */
export interface Representation {
  json: string;
  /** Of the occurrence: it changes with all that the occurrence shows. */
  etag: string;
  /** Of all that the event is: of a series its rule and every occurrence, whichever one is shown. */
  seriesEtag: string;
}

const TAG_CHARACTERS = 32;

/** Writes an event with the writer of GET /v1/events, in UTC, and what the application may do with it. */
export function represent(
  { record, living }: NamedEvent,
  occurrence: NamedOccurrence,
  { bearer, names }: Pick<AccountContext, "bearer" | "names">,
): Representation {
  const { conferencingText: conferencing, rulesText: rules } = record;
  const event = singleEventWriter(names)({ ...record, conferencing, rules }, occurrence);
  const rights = rightsOf(record, living.state, bearer);
  const json = `${event.slice(0, -1)},"rights":${rightsText(rights)}}`;
  const etag = tagOf([json, occurrence.at, record.contentAt ?? ""]);
  if (occurrence.day === null) return { json, etag, seriesEtag: etag };
  const whole = [record.id, rightsText(rights), record.eventAt, record.contentAt ?? "", JSON.stringify(living.state)];
  return { json, etag, seriesEtag: tagOf(whole) };
}

function rightsText({ update, delete: deletes, reply }: EventRights): string {
  return JSON.stringify({ update, delete: deletes, reply });
}

function tagOf(parts: readonly string[]): string {
  const hash = createHash("sha256").update(parts.join("\n")).digest("hex");
  return `"${hash.slice(0, TAG_CHARACTERS)}"`;
}
