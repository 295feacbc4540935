import type { Query } from "@/server/db/client";
import { run } from "@/server/db/statement";
import type { EventState, Person } from "@/server/domain/events/event-state";
import type { GuestStatus } from "@/server/domain/events/guests";
import type { Issue } from "@/server/domain/issues";
import { changeByOthers } from "@/server/services/events/by-others";
import { nextState, type WrittenCalendar } from "@/server/services/events/write/next-state";
import { invalid, Refusal } from "@/server/services/refusal";
import type { SandboxChangeBody } from "@/server/services/sandbox/change-shape";
import { findTarget, type TargetEvent } from "@/server/services/sandbox/sandbox.sql";
import type { AccountContext } from "@/server/services/trpc";
import { lockedCalendar } from "@/server/store/calendars/locked-calendar";
import { wakeForChange } from "@/server/store/channels/outbox";
import { livingRow } from "@/server/store/events/event-record";

/** Plays another person who changes an event of an application calendar. Throws not_found for the calendar, 422 for the rest. */
export async function changeEventInSandbox(ctx: AccountContext, body: SandboxChangeBody): Promise<void> {
  const { accountId, email, name } = ctx.bearer;
  const calendarId = body.calendar_id ?? "";
  const owner = { email, display_name: name };
  await refuseDeleted(ctx, calendarId);
  const isChanged = await ctx.db.transaction(async (query) => {
    const calendar = await calendarOfOthers(query, { calendarId, accountId });
    const target = body.type === "event_created" ? null : await targetIn(query, body);
    const before = target && ((await livingRow(query, calendarId, target.id))?.state ?? null);
    const after = afterChange(body, before, { ...calendar, owner });
    return await changeByOthers(query, ctx, {
      ...{ calendarId, after },
      id: target?.id ?? null,
      eventId: target?.eventId ?? null,
    });
  });
  if (isChanged) wakeForChange();
}

/** Refuses to change events of a deleted calendar. Throws not_found. */
export async function refuseDeleted({ db }: AccountContext, calendarId: string): Promise<void> {
  const deleted = await db.prisma.calendar.count({ where: { id: calendarId, deleted: true } });
  if (deleted > 0) throw new Refusal({ kind: "not_found" });
}

/** Loads a calendar to which others write, even if the application can only read it, and no feed. Throws not_found. */
export async function calendarOfOthers(query: Query, place: { calendarId: string; accountId: string }) {
  const calendar = await lockedCalendar(query, place);
  if (calendar?.provider !== "hosted") throw new Refusal({ kind: "not_found" });
  return calendar;
}

/** Loads the event that a change names. Throws 422. */
export async function targetIn(
  query: Query,
  { calendar_id, event_id, event_uid }: SandboxChangeBody,
): Promise<TargetEvent> {
  const [target] = await run(query, findTarget, [calendar_id, event_id ?? null, event_uid ?? null]);
  if (target) return target;
  throw invalid(fault(event_id === undefined ? "event_uid" : "event_id", "is not an event of the calendar"));
}

/** Returns the event after the change. Null: it is deleted. */
function afterChange(body: SandboxChangeBody, before: EventState | null, calendar: WrittenCalendar): EventState | null {
  if (body.type === "event_deleted") return null;
  if (body.type === "guest_replied" && before) return withReply(body, before, calendar.owner);
  if (!body.event) throw new Error("the schema lets no change without its event through");
  const { event_private, ...content } = body.event;
  const next = nextState({ ...content, notify_attendees: false }, before, calendar);
  const state = { ...next, private: event_private ?? next.private };
  if (before || !body.organizer) return state;
  const { email, display_name } = body.organizer;
  return {
    ...state,
    organizer: { email, display_name: display_name ?? null },
    participationStatus: "needs_action",
  };
}

function withReply({ email, status }: SandboxChangeBody, before: EventState, owner: Person): EventState {
  if (!email || !status) throw new Error("the schema lets no reply without them through");
  if (email === owner.email) return { ...before, participationStatus: status };
  if (!before.attendees.some((guest) => guest.email === email)) {
    throw invalid(fault("email", "is neither a guest of the event nor the user's own address"));
  }
  const replied = (guest: EventState["attendees"][number]) =>
    guest.email === email ? withStatus(guest, status) : guest;
  return { ...before, attendees: before.attendees.map(replied) };
}

function withStatus(guest: EventState["attendees"][number], status: GuestStatus) {
  return { ...guest, status };
}

function fault(field: string, words: string): Issue {
  return { path: [field], key: "errors.invalid", description: `${field} ${words}` };
}
