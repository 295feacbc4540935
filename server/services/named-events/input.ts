import { z } from "zod";
import { isFaulty } from "@/server/domain/text";
import type { Day } from "@/server/domain/time/day";
import { occurrenceDay } from "@/server/services/events/change-series";
import { queryFlag } from "@/server/services/fields";
import { type Input, inputOf, rawInput } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";

const scopes = ["this", "all"] as const;

/** The query of GET /v1/events/{event_uid}. */
export const namedEventQuery = z.object({
  occurrence_date: occurrenceDay
    .describe(
      "Of a recurring event: the original day of the occurrence you mean. `event_uid` is then the uid of any of its occurrences, or its `series_identifier`.",
    )
    .optional(),
  scope: z
    .enum(scopes)
    .default("this")
    .describe("Of a recurring event: `this` is the occurrence, `all` is the whole series. `ETag` covers the scope."),
});

/** The query of a change. */
export const changedEventQuery = namedEventQuery.extend({
  notify_attendees: queryFlag(true).describe(
    "If `false`, guests are not notified. Calendars that always notify guests reject `false`. Guests of events that your application didn't create are never notified.",
  ),
});

/** Which event a request is about. */
export interface NamedInput {
  uid: string;
  day: Day | null;
  scope: (typeof scopes)[number];
}

/** What routes send of a request about an event by its uid. */
interface RawNamed {
  event_uid: string;
  query: unknown;
  body: unknown;
  ifMatch: string | null;
}

const readNamedQuery = inputOf(namedEventQuery);
const readChangedQuery = inputOf(changedEventQuery);

/** The input of a read. Throws 422 for the query, then not_found for a uid that cannot be one. */
export const namedInput: Input<NamedInput> = rawInput((raw) => {
  const { event_uid: uid, query } = raw as RawNamed;
  const { occurrence_date: day = null, scope } = readNamedQuery(query);
  return { uid: storable(uid), day, scope };
});

export interface ChangedInput<Body> extends NamedInput {
  ifMatch: string | null;
  notify: boolean;
  body: Body;
}

export interface RepliedInput<Body> extends NamedInput {
  calendarId: string;
  body: Body;
}

/** Builds the input of a change, which throws 422 for query and body, with the errors of the body first. */
export function changedInput<Body>(readBody: (raw: unknown) => Body): Input<ChangedInput<Body>> {
  return rawInput((raw) => {
    const { event_uid: uid, query, body: sent, ifMatch } = raw as RawNamed;
    const body = readBody(sent);
    const { occurrence_date: day = null, scope, notify_attendees: notify } = readChangedQuery(query);
    return { uid: storable(uid), day, scope, notify, ifMatch, body };
  });
}

/** Builds the input of a reply, whose path names the calendar too. */
export function repliedInput<Body>(readBody: (raw: unknown) => Body): Input<RepliedInput<Body>> {
  return rawInput((raw) => {
    const { event_uid: uid, calendar_id: calendarId, query, body: sent } = raw as RawNamed & { calendar_id: string };
    const body = readBody(sent);
    const { occurrence_date: day = null, scope } = readNamedQuery(query);
    return { uid: storable(uid), calendarId, day, scope, body };
  });
}

function storable(uid: string): string {
  if (isFaulty(uid)) throw new Refusal({ kind: "not_found" });
  return uid;
}
