import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { bookedEventId } from "@/server/domain/event-keys";
import { alternatives, freedomIn, isFindable, type Span } from "@/server/http/mcp/free-time";
import { addTool, confirming, dataOf, refusal, type Session, said } from "@/server/http/mcp/tool";
import { faultOf, spanOf, whenText } from "@/server/http/mcp/when";
import { refusalOf } from "@/server/http/responses";

const event = z.strictObject({
  summary: z.string().describe("The title."),
  description: z.string().optional(),
  start: z.string().describe("A date, or a time with an offset."),
  end: z.string().describe("A date (exclusive) if `start` is one, otherwise a time with an offset."),
  tzid: z.string().optional().describe("The event's IANA time zone. Default: the user's."),
  location: z.strictObject({ description: z.string() }).optional(),
  attendees: z
    .strictObject({
      invite: z.array(z.strictObject({ email: z.string(), display_name: z.string().optional() })).max(100),
    })
    .optional()
    .describe("Guests. The calendar's provider sends them invitations."),
  notify_attendees: z
    .boolean()
    .optional()
    .describe("`false`: guests get no invitation, if the calendar supports that."),
});
type Booked = z.output<typeof event>;

/** Adds book: an event is written only if the user is free, and only after a preview. */
export function addBooking(server: McpServer, session: Session): void {
  addTool(server, {
    name: "book",
    title: "Book an event",
    description:
      "Writes an event into a calendar if the user is free then, over all of their calendars. The first call returns a preview: show it to the user, and call again with the same arguments, its preview_id and confirm once they have agreed. If the time is taken, nothing is written and three free times are offered.",
    effect: "adds",
    input: { calendar_id: z.string().describe("From list_calendars."), event, ...confirming },
    run: async ({ confirm, preview_id, ...booking }) => {
      const tzid = booking.event.tzid ?? session.tzid;
      const fault = faultOf({ ...booking.event, tzid });
      if (fault) return refusal(`Nothing was booked: ${fault}.`);
      const previewed = { tool: "book", args: booking };
      if (!confirm || !preview_id || !(await session.api.assistantPreviews.verify({ ...previewed, id: preview_id })))
        return await preview(session, booking, tzid, await session.api.assistantPreviews.issue(previewed));
      return await write(session, booking, { tzid, eventId: bookedEventId(preview_id) });
    },
  });
}

interface Asked {
  calendar_id: string;
  event: Booked;
}

async function preview(session: Session, { calendar_id, event }: Asked, tzid: string, previewId: string) {
  const { calendars } = await session.api.calendars();
  const calendar = calendars.find((one) => one.calendar_id === calendar_id);
  if (!calendar) return refusal("The account has no calendar with this id: see list_calendars.");
  if (calendar.calendar_readonly) return refusal("The calendar is read-only: see list_calendars.");
  const span = spanOf({ ...event, tzid });
  const guests = event.attendees?.invite.length ?? 0;
  const notified =
    event.notify_attendees === false ? "They are not invited." : "They are invited, if the calendar supports that.";
  return said(
    "Preview. Nothing has been booked.",
    `When: ${whenText({ ...event, tzid })}`,
    guests === 0 ? "Guests: none" : `Guests: ${guests}, named below. ${notified}`,
    "Everything that will be written:",
    dataOf({ calendar: calendar.calendar_name, ...event }),
    ...(isFindable(span) ? await freedom(session, span, tzid) : ["Availability is checked when the event is booked."]),
    `preview_id: ${previewId}`,
  );
}

async function write(
  session: Session,
  { calendar_id, event }: Asked,
  { tzid, eventId }: { tzid: string; eventId: string },
) {
  const zoned = event.start.length > DATE_LENGTH ? { tzid } : {};
  try {
    const booking = await session.api.bookings.book({
      calendar_id,
      event: { event_id: eventId, ...zoned, ...event },
      require_free: [{ sub: session.sub }],
    });
    return said(`Booked: ${whenText({ ...event, tzid })}`, dataOf(booking));
  } catch (error) {
    const reason = refusalOf(error);
    if (reason?.kind !== "taken") throw error;
    const span = spanOf({ ...event, tzid });
    const { conflicts, problems } = reason;
    const taken = conflicts.length > 0 ? ["The time is taken.", dataOf({ conflicts })] : [];
    const unknown = problems.length > 0 ? [NOT_KNOWN, dataOf({ problems })] : [];
    const free = isFindable(span) && conflicts.length > 0 ? await offered(session, span, tzid) : [];
    return refusal("Nothing was booked.", ...taken, ...unknown, ...free);
  }
}

/** Says whether the user is free for a span, or else when they are, or why that is not known. */
async function freedom(session: Session, span: Span, tzid: string): Promise<string[]> {
  const { free, problems } = await freedomIn(session, span);
  if (problems.length > 0) return [NOT_KNOWN, dataOf({ problems })];
  return free ? ["The user is free then."] : ["The time is taken.", ...(await offered(session, span, tzid))];
}

const NOT_KNOWN = "Whether the user is free then is not known:";
const DATE_LENGTH = "2026-12-01".length;

async function offered(session: Session, span: Span, tzid: string): Promise<string[]> {
  const free = await alternatives(session, span, tzid);
  if (free.length === 0) return ["The user is not free in the seven days after it."];
  return ["The user is free at:", ...free];
}
