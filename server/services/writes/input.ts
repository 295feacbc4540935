import { z } from "zod";
import { isFaulty } from "@/server/domain/text";
import { MAX_WRITES_CURSOR } from "@/server/domain/text-limits";
import { receiptStates } from "@/server/domain/trouble/receipt";
import { calendarIdsQuery, refused, text } from "@/server/services/fields";
import { inputOf } from "@/server/services/input";
import { queryFormIssues } from "@/server/services/reads/query-form";

const position = z.tuple([z.string(), z.string()]);

/** Writes where a page ends. It is not secret, and says nothing of another account. */
export function writesCursor({ calendarId, eventId }: { calendarId: string; eventId: string }): string {
  return Buffer.from(JSON.stringify([calendarId, eventId])).toString("base64url");
}

const cursor = text({ min: 1, max: MAX_WRITES_CURSOR })
  .transform((value, { issues }) => {
    const read = positionOf(value);
    if (read) return read;
    issues.push(refused(value, { key: "errors.invalid" }, "was not issued for this route"));
    return z.NEVER;
  })
  .meta({
    description: "Identifies a later page. Take it from `pages.next_page`, together with the other parameters.",
  });

function positionOf(value: string): { calendarId: string; eventId: string } | null {
  try {
    const [calendarId, eventId] = position.parse(JSON.parse(Buffer.from(value, "base64url").toString("utf8")));
    return isFaulty(calendarId) || isFaulty(eventId) ? null : { calendarId, eventId };
  } catch {
    return null;
  }
}

/** The query of GET /v1/writes. */
export const writesQuery = z.object({
  state: z.enum(receiptStates).describe("Return only writes in this state.").optional(),
  calendar_ids: calendarIdsQuery
    .describe("Return only these calendars. Repeat the parameter for each one. Default: every calendar of the account.")
    .optional(),
  cursor: cursor.optional(),
});

export const writesInput = inputOf(writesQuery, queryFormIssues(Object.keys(writesQuery.shape)));
