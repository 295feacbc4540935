import { EVENTS_PAGE } from "@/server/domain/limits";
import { eventPages } from "@/server/services/reads/events/event-pages.sql";
import { shapeEvent } from "@/server/services/reads/events/shape";
import { eventsQuery, readInput } from "@/server/services/reads/input";
import { readPage } from "@/server/services/reads/page";
import { timeWriter } from "@/server/services/reads/times";
import { accountProcedure } from "@/server/services/trpc";

const read = { endpoint: "events", pageSize: EVENTS_PAGE, page: eventPages } as const;

/** GET /v1/events: `{ pages, events }`, one event for each occurrence in the window. Refuses with 422. */
export const listEvents = accountProcedure.input(readInput(eventsQuery)).query(async ({ input, ctx }) => {
  const { pages, rows, frame, zone } = await readPage(read, input, ctx);
  const write = timeWriter(frame.localized, zone);
  return { pages, events: rows.map((row) => shapeEvent(row, write, ctx.names)) };
});
