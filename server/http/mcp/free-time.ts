import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { weekdayNames } from "@/server/domain/availability/working-hours";
import { formatInstant, type Instant } from "@/server/domain/time/instant";
import { addTool, dataOf, type Session, said } from "@/server/http/mcp/tool";
import { whenText } from "@/server/http/mcp/when";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MOST_RESULTS = 20;
const SLOT_MINUTES = 30;
const MOST_MINUTES = 1_440;
/** How many times are offered in place of one that is taken, within how many days. */
const ALTERNATIVES = 3;
const ALTERNATIVE_DAYS = 7;
const WEEKDAYS = weekdayNames.slice(0, 5);

const minutes = z.strictObject({ minutes: z.int().min(0).max(MOST_MINUTES) });
const clockTime = z.string().describe("`hh:mm`");

/** Adds find_free_time, which asks for the time of the user alone. */
export function addFreeTime(server: McpServer, session: Session): void {
  addTool(server, {
    name: "find_free_time",
    title: "Find free time",
    description: `Finds when the user is free, over all of their calendars: at most ${MOST_RESULTS} slots. Also says when time is not known, for example because an account is disconnected.`,
    input: {
      required_duration: z.strictObject({ minutes: z.int().min(1).max(MOST_MINUTES) }).describe("How long it takes."),
      query_periods: z
        .array(z.strictObject({ start: z.string(), end: z.string() }))
        .min(1)
        .max(50)
        .describe("Where to look: times with offsets."),
      working_hours: z
        .array(z.strictObject({ day: z.enum(weekdayNames), start: clockTime, end: clockTime }))
        .optional()
        .describe("Only within these hours, in the time zone `tzid`."),
      tzid: z.string().default(session.tzid).describe("The IANA time zone of working hours and of the result."),
      buffer: z.strictObject({ before: minutes.optional(), after: minutes.optional() }).optional(),
      start_interval: z.strictObject({ minutes: z.int().min(1).max(MOST_MINUTES) }).default({ minutes: SLOT_MINUTES }),
      calendar_ids: z.array(z.string()).max(100).optional().describe("Only events in these count. Default: all."),
    },
    run: async ({ calendar_ids, ...question }) => {
      const asked = { ...question, members: [{ sub: session.sub, ...(calendar_ids && { calendar_ids }) }] };
      const { slots, problems } = await freeSlots(session, { ...asked, most: MOST_RESULTS });
      const unknown = problems.length > 0 ? ["Not known to be free, and why:", dataOf(problems)] : [];
      return said(`${slots.length} slots.`, ...slots.map((slot) => slotText(slot, question.tzid)), ...unknown);
    },
  });
}

interface Slot {
  start: string;
  end: string;
}

const slotText = (slot: Slot, tzid: string) => `- ${slot.start} to ${slot.end}: ${whenText({ ...slot, tzid })}`;

/** What availability is asked, in its own fields, beside whom it is about and how much is wanted. */
interface Question extends Record<string, unknown> {
  members: object[];
  most: number;
}

async function freeSlots({ api }: Session, { members, most, ...question }: Question) {
  const { available_slots: slots = [], problems } = await api.availability({
    ...question,
    participants: [{ members, required: "all" }],
    response_format: "overlapping_slots",
    max_results: most,
  });
  return { slots: slots as Slot[], problems };
}

/** A stretch of time: when it starts in milliseconds, and how long it is. */
export interface Span {
  start: number;
  minutes: number;
}

/** Reports whether the user is free for all of a span, and what makes that unknown. */
export async function freedomIn(session: Session, span: Span): Promise<{ free: boolean; problems: object[] }> {
  const end = span.start + span.minutes * MINUTE_MS;
  const { slots, problems } = await freeSlots(session, {
    ...{ members: [{ sub: session.sub }], most: 1 },
    ...questionOf(span, { from: span.start, to: end }),
  });
  return { free: slots.length > 0, problems };
}

/** Lists three times at which the user is free, after one that is taken: in the hours of work if there are any. */
export async function alternatives(session: Session, span: Span, tzid: string): Promise<string[]> {
  const from = Math.ceil(Math.max(span.start, session.now) / (SLOT_MINUTES * MINUTE_MS)) * SLOT_MINUTES * MINUTE_MS;
  const asked = {
    ...{ members: [{ sub: session.sub }], most: ALTERNATIVES, start_interval: { minutes: SLOT_MINUTES } },
    ...questionOf(span, { from, to: from + ALTERNATIVE_DAYS * DAY_MS }),
  };
  const working_hours = WEEKDAYS.map((day) => ({ day, start: "08:00", end: "18:00" }));
  const within = await freeSlots(session, { ...asked, working_hours, tzid });
  const { slots } = within.slots.length > 0 ? within : await freeSlots(session, asked);
  return slots.map((slot) => slotText(slot, tzid));
}

function questionOf({ minutes }: { minutes: number }, { from, to }: { from: number; to: number }) {
  return {
    required_duration: { minutes },
    query_periods: [{ start: formatInstant(from as Instant), end: formatInstant(to as Instant) }],
  };
}

/** Reports whether availability can be asked for a span: it finds meetings of a day at most. */
export function isFindable(span: Span | null): span is Span {
  return span !== null && span.minutes <= MOST_MINUTES;
}
