import { describe, expect, it } from "vitest";
import type { GraphApi, GraphRequest } from "@/server/providers/microsoft/api";
import { eventName } from "@/server/providers/microsoft/event-name";
import { microsoftWriting } from "@/server/providers/microsoft/write";
import { writeToProvider } from "@/server/sync/write-event";
import { eventState, guest, ruleSeries, writingToMicrosoft } from "./microsoft-writing";

const BOB = "bob@example.com";
const ALIAS = "c.jones@example.com";
const CAROL = "carol@example.com";
const MOST_REQUESTS = 20;

/** Graph where Carol's second address becomes her first one, as Exchange names people of its own directory. */
function resolving(api: GraphApi): GraphApi {
  let requests = 0;
  const call = async (request: GraphRequest) => {
    requests += 1;
    if (requests > MOST_REQUESTS) throw new Error("There is no end to the requests.");
    const { body } = request;
    return await api({ ...request, ...(body && { body: JSON.parse(JSON.stringify(body).replaceAll(ALIAS, CAROL)) }) });
  };
  return Object.assign(call, { placed: api.placed });
}

describe("a guest whose address Exchange replaces", () => {
  it("is invited once to an occurrence that has a guest list of its own", async () => {
    const { api, push, calendar, id, row } = await writingToMicrosoft();
    const state = (attendees = [guest(BOB)]) =>
      eventState({ ruleSeries: ruleSeries({ count: 10, until: null }), attendees });
    const first = await push(state());
    const occurrence = calendar.occurrenceId(id(), "2027-03-03");
    calendar.forward(occurrence, { address: "dan@example.com" });
    const input = {
      ...{
        calendarId: calendar.id,
        externalId: id(),
        version: first.kind === "done" ? first.version : null,
        parts: {},
      },
      ...{ uid: row, name: eventName(row), removedGuests: [], notify: true },
    };
    const changes = { base: state().ruleSeries, changedFields: [] };
    const written = await writeToProvider(
      microsoftWriting(resolving(api)),
      { ...input, ...changes, state: state([guest(BOB), guest(ALIAS)]) },
      async () => undefined,
    );
    expect(written).toMatchObject({ kind: "done" });
    const addresses = calendar.event(occurrence)?.attendees?.map(({ emailAddress }) => emailAddress?.address);
    expect(addresses).toEqual([BOB, "dan@example.com", CAROL]);
  });
});
