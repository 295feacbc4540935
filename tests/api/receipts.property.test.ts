import fc from "fast-check";
import { expect, it } from "vitest";
import { db } from "@/server/db/client";
import { runComposed } from "@/server/db/composed";
import { run } from "@/server/db/statement";
import { receiptOfEvent, type WriteSearch, writePage } from "@/server/services/writes/writes.sql";
import { storeProviderEvents } from "../fakes/stored-events";
import { connectedWithTokens } from "./grants";
import { newApplication } from "./service";

/** A row of an event: still there, or deleted at some time; with a write that has not arrived, or without. */
interface Row {
  place: number;
  name: string;
  deleted: number | null;
  write: "none" | "queued" | "suspended" | "refused" | "reverted";
}

const row = fc.record<Row>({
  place: fc.constantFrom(0, 1),
  name: fc.constantFrom("a", "b", "c", "d"),
  deleted: fc.option(fc.integer({ min: 1, max: 1_000 }), { freq: 2 }),
  write: fc.constantFrom("none", "queued", "suspended", "refused", "reverted"),
});
const rows = fc.uniqueArray(row, {
  maxLength: 14,
  selector: ({ place, name, deleted }) => `${place}${name}${deleted}`,
});
const states = [undefined, "pending", "sent", "refused"] as const;

const stateOf = ({ write }: Row) =>
  write === "none" ? "sent" : ["queued", "suspended"].includes(write) ? "pending" : "refused";

/** What the list has to be, by the words of the documentation alone. */
function expected(all: readonly Row[], calendarIds: readonly string[]) {
  const last = new Map<string, Row>();
  for (const one of [...all].sort((a, b) => (a.deleted ?? 9_999) - (b.deleted ?? 9_999)))
    last.set(`${calendarIds[one.place]} ${one.name}`, one);
  return [...last]
    .map(([key, one]) => ({ key, state: stateOf(one), isThere: one.deleted === null }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}

it("lists the last write of each event, page by page, as a model without SQL does", async () => {
  const { accountId, profileId, calendarIds } = await connectedWithTokens(await newApplication());
  const ids = [calendarIds.writable, calendarIds.readonly];
  const page = async (search: WriteSearch) => {
    const found: { key: string; state: string }[] = [];
    for (let after: WriteSearch["after"]; ; ) {
      const some = await runComposed(db().query, writePage, { ...search, accountId, after, limit: 2 });
      found.push(...some.map(({ calendarId, eventId, state }) => ({ key: `${calendarId} ${eventId}`, state })));
      after = some[1];
      if (!after) return found;
    }
  };
  await fc.assert(
    fc.asyncProperty(rows, async (given) => {
      await store(given, { accountId, profileId, ids });
      const model = expected(given, ids);
      for (const { key, state } of model) {
        const [calendarId, eventId] = key.split(" ");
        expect(await run(db().query, receiptOfEvent, [calendarId, accountId, eventId])).toMatchObject([{ state }]);
      }
      const listed = model.filter(({ state, isThere }) => isThere || state !== "sent");
      for (const state of states)
        for (const only of [undefined, [ids[1] ?? ""]]) {
          const wanted = listed.filter(
            (one) => (state ?? one.state) === one.state && (!only || one.key.startsWith(only[0] ?? "")),
          );
          expect(await page({ state, calendarIds: only })).toEqual(wanted.map(({ key, state }) => ({ key, state })));
        }
    }),
    { numRuns: 60 },
  );
}, 120_000);

interface Owner {
  accountId: string;
  profileId: string;
  ids: readonly string[];
}

async function store(given: readonly Row[], { accountId, profileId, ids }: Owner): Promise<void> {
  const { prisma } = db();
  await prisma.event.deleteMany({ where: { calendarId: { in: [...ids] } } });
  if (given.length === 0) return;
  const rowIds = await storeProviderEvents(
    given.map(({ place, name, deleted }) => ({
      ...{ calendarId: ids[place] ?? "", eventId: name, start: "2026-12-01", end: "2026-12-02" },
      ...(deleted === null ? {} : { state: "deleted" as const, updated: new Date(deleted * 1_000).toISOString() }),
    })),
  );
  await prisma.providerWrite.createMany({
    data: given.flatMap(({ place, write }, i) =>
      write === "none"
        ? []
        : {
            ...{ eventRow: rowIds[i] ?? "", calendarId: ids[place] ?? "", profileId, accountId },
            ...{ removedGuests: [], changedFields: [], suspended: write === "suspended" },
            ...(write === "refused" || write === "reverted" ? { refusedAt: new Date(), lastError: "http_403" } : {}),
            ...(write === "reverted" ? { revertedAt: new Date() } : {}),
          },
    ),
  });
}
