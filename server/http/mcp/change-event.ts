import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { occurrence } from "@/server/http/mcp/reading";
import { addTool, bodyOf, confirming, dataOf, etagOf, refusal, type Session, said } from "@/server/http/mcp/tool";
import { faultOf, whenText } from "@/server/http/mcp/when";

const text = z.string().nullable().optional();
const changes = z.strictObject({
  summary: z.string().optional(),
  description: text,
  start: z.string().optional().describe("A date, or a time with an offset. Send it together with `end`."),
  end: z.string().optional(),
  location: z.strictObject({ description: z.string().nullable() }).nullable().optional(),
  transparency: z.enum(["opaque", "transparent"]).optional().describe("`transparent` shows the user as free."),
  url: text,
});

interface Shown {
  summary: string;
  start: string;
  end: string;
  attendees: { email: string }[];
  rights: { update: boolean; delete: boolean };
}

/** Adds change_event: it changes or deletes an event as it was previewed, and nothing that somebody has changed since. */
export function addChange(server: McpServer, session: Session): void {
  const { api, tzid } = session;
  addTool(server, {
    name: "change_event",
    title: "Change or delete an event",
    description:
      "Changes the fields sent in `changes`, or deletes the event. The first call returns a preview: show it to the user, and call again with the same arguments, its etag, its preview_id and confirm once they have agreed. If someone has changed the event since, nothing is written.",
    effect: "changes",
    input: {
      ...occurrence,
      scope: z.enum(["this", "all"]).default("this").describe("Of a series: this occurrence, or all of it."),
      changes: changes.default({}),
      delete: z.boolean().default(false).describe("Deletes the event instead."),
      etag: z.string().max(100).optional().describe("The etag of the preview."),
      ...confirming,
    },
    run: async ({ confirm, preview_id, etag, ...asked }) => {
      const { event_uid, changes: body, scope, occurrence_date, delete: deletes } = asked;
      const query = { scope, ...(occurrence_date !== undefined && { occurrence_date }) };
      const fault = faultOf({ ...definedIn(body), tzid });
      if (fault) return refusal(`Nothing was changed: ${fault}.`);
      const previewed = (tag: string) => ({ tool: "change_event", args: { ...asked, etag: tag } });
      const tag = quoted(etag ?? "");
      const isShown =
        confirm && preview_id && (await api.assistantPreviews.verify({ ...previewed(tag), id: preview_id }));
      if (!isShown) {
        const found = await api.events.get({ event_uid, query });
        const id = await api.assistantPreviews.issue(previewed(etagOf(found)));
        const lines = previewOf(bodyOf<Shown>(found), { changes: body, deletes, isSeries: scope === "all", tzid });
        return said(...lines, `etag: ${etagOf(found)}`, `preview_id: ${id}`);
      }
      if (deletes) {
        await api.events.removeByUid({ event_uid, query, ifMatch: tag, body: {} });
        return said("Deleted.");
      }
      const changed = await api.events.patch({ event_uid, query, body, ifMatch: tag });
      return said("Changed.", dataOf(bodyOf(changed)), `etag: ${etagOf(changed)}`);
    },
  });
}

/** Returns an entity tag with its quotation marks, which assistants leave out. */
function quoted(tag: string): string {
  return /^[\w-]+$/.test(tag) ? `"${tag}"` : tag;
}

/** Returns the times that are changed. */
function definedIn({ start, end }: z.output<typeof changes>): { start?: string; end?: string } {
  return { ...(start !== undefined && { start }), ...(end !== undefined && { end }) };
}

interface Preview {
  changes: z.output<typeof changes>;
  deletes: boolean;
  isSeries: boolean;
  tzid: string;
}

function previewOf(event: Shown, { changes, deletes, isSeries, tzid }: Preview): string[] {
  const { start, end, attendees, rights } = event;
  const before = whenText({ start, end, tzid });
  const after = whenText({ start: changes.start ?? start, end: changes.end ?? end, tzid });
  const guests = attendees.map(({ email }) => email);
  const allowed = deletes ? rights.delete : rights.update;
  return [
    `Preview. Nothing has been ${deletes ? "deleted" : "changed"}.`,
    ...(allowed ? [] : ["The application may not do this to the event: confirming it will be rejected."]),
    before === after || deletes ? `When: ${before}` : `When: from ${before} to ${after}`,
    guests.length === 0 ? "Guests: none" : `Guests: ${guests.length}`,
    ...(guests.length === 0 ? [] : [dataOf(guests)]),
    deletes ? `Deleted: ${isSeries ? "the whole series" : "this event"}` : "Before, and what is changed:",
    dataOf({ summary: event.summary, ...(deletes ? {} : { changes }) }),
  ];
}
