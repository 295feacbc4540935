import { z } from "zod";
import { dayFault } from "@/server/domain/time/day";
import { MOMENT_WORDS, type Moment, readMoment, span, spanWords } from "@/server/domain/time/moment";
import { namedZone } from "@/server/domain/time/named-zone";
import { zoneFault } from "@/server/domain/time/similar-zone";
import { docsAs } from "@/server/services/docs-as";
import { refused } from "@/server/services/fields";
import type { IssueParams } from "@/server/services/input";

/** A start or end as the body gives it; `tzid` is the one inside it. */
export type SentMoment = Moment & { tzid?: string };

/** What callers may send as a start or end. */
export const momentShape = z
  .union([
    z.string().meta({ format: "date" }),
    z.string().meta({ format: "date-time" }),
    z.object({
      time: z
        .string()
        .describe("A date, a time with an offset, or a local time in `tzid` such as `2026-11-21T09:30:00`."),
      tzid: z.string().describe("An IANA time zone."),
    }),
  ])
  .describe("A date (all-day), a time with an offset, or an object with a time and its time zone.");

/** A string (date, or time with offset) or `{ time, tzid }` ("POST …/events"). */
export const moment = z
  .unknown()
  .transform((value, { issues }): SentMoment => {
    const fault = (path: string[], params: IssueParams, message: string) => {
      issues.push({ ...refused(value, params, message), path });
      return z.NEVER;
    };
    if (value === undefined) return fault([], { key: "errors.required" }, "is required");
    if (typeof value === "string")
      return readMoment(value, null) ?? fault([], { key: "errors.invalid" }, dayFault(value, MOMENT_WORDS));
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return fault([], { key: "errors.invalid_type" }, "must be a string or an object with time and tzid");
    }
    const { time, tzid } = value as { time?: unknown; tzid?: unknown };
    const named = typeof tzid === "string" ? namedZone(tzid) : null;
    if (tzid === undefined) fault(["tzid"], { key: "errors.required", reason: "time_zone" }, "is required");
    else if (typeof tzid !== "string") fault(["tzid"], { key: "errors.invalid_type" }, "must be a string");
    else if (!named) fault(["tzid"], { key: "errors.invalid", reason: "time_zone" }, zoneFault(tzid));
    if (time === undefined) return fault(["time"], { key: "errors.required" }, "is required");
    if (typeof time !== "string") return fault(["time"], { key: "errors.invalid_type" }, "must be a string");
    const read = readMoment(time, named?.zone ?? null);
    if (read) return named ? { ...read, tzid: named.tzid } : read;
    // Without its zone a local time can be read by nobody, and the zone's fault is already named.
    return named || readMoment(time.concat("Z"), null) === null
      ? fault(["time"], { key: "errors.invalid" }, dayFault(time, MOMENT_WORDS))
      : z.NEVER;
  })
  .register(docsAs, { as: "EventTime" });

/** Checks the span of a schema with `start` and `end`. It runs when both could be read, whatever else is wrong. */
export function spanOf(value: unknown, { issues }: { issues: z.core.$ZodRawIssue[] }): void {
  const { start, end } = (value ?? {}) as { start?: Moment; end?: Moment };
  if (!isSettled(start) || !isSettled(end)) return;
  const result = span(start, end);
  if (typeof result !== "string") return;
  const params: IssueParams = { key: "errors.invalid", ...(result === "end_before_start" && { reason: result }) };
  issues.push({ ...refused(end, params, spanWords(result, start)), path: ["end"] });
}

/** Checks that a new time has both ends, even if other fields are invalid. */
export function bothOrNeither(value: unknown, { issues }: { issues: z.core.$ZodRawIssue[] }): void {
  const { start, end } = (value ?? {}) as { start?: unknown; end?: unknown };
  if ((start === undefined) === (end === undefined)) return;
  const missing = start === undefined ? "start" : "end";
  issues.push({
    ...refused(undefined, { key: "errors.required" }, "is required: send start and end together"),
    path: [missing],
  });
}

/** Reports whether a moment was read, and is not a local time whose zone is known only later. */
function isSettled(moment: Partial<Moment> | undefined): moment is Moment {
  return moment?.kind === "day" || moment?.kind === "time";
}
