import { listText } from "@/server/domain/json-text";
import { ASSISTANT_EVENTS, EVENTS_PAGE } from "@/server/domain/limits";
import { eventPages } from "@/server/services/reads/events/event-pages.sql";
import { eventRows } from "@/server/services/reads/events/rows";
import { eventWriter } from "@/server/services/reads/events/write-event";
import { eventsQuery, readInput } from "@/server/services/reads/input";
import { readPage } from "@/server/services/reads/page";
import { timeWriter } from "@/server/services/reads/times";
import { accountProcedure } from "@/server/services/trpc";

export const eventsRead = { endpoint: "events", pageSize: EVENTS_PAGE, page: eventPages, rowsOf: eventRows } as const;

/** Lists what GET /v1/events lists, in small pages whose `next_page` holds the cursor. */
export const findEvents = accountProcedure.input(readInput(eventsQuery)).query(async ({ input, ctx }) => {
  const { pages, rows, frame, zone } = await readPage({ ...eventsRead, pageSize: ASSISTANT_EVENTS }, input, ctx);
  const write = eventWriter(timeWriter(frame.localized, zone), ctx.names);
  return { pages, events: rows.map((row) => JSON.parse(write(row)) as object) };
});

/** Lists one event for each occurrence in the window (GET /v1/events: `{ pages, events }`). Refuses with 422. */
export const listEvents = accountProcedure.input(readInput(eventsQuery)).query(async ({ input, ctx }) => {
  const { pages, rows, frame, zone } = await readPage(eventsRead, input, ctx);
  const write = eventWriter(timeWriter(frame.localized, zone), ctx.names);
  return listText(`{"pages":${JSON.stringify(pages)},"events":[`, rows.splice(0).map(write));
});
