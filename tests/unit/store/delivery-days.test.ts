import { afterEach, beforeEach, expect, it } from "vitest";
import { context } from "@/server/context";
import { newId } from "@/server/db/new-id";
import { type Days, daysBetween, everyDay, findDeliveries, findDelivery } from "@/server/store/deliveries/days";

const NOW = Date.UTC(2026, 10, 25, 12);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const setClock = (ms: number) => {
  context.clock = { now: () => ms, monotonic: () => 0 };
};
beforeEach(() => setClock(NOW));
afterEach(() => {
  context.clock = undefined;
});

function idOf(ms: number): string {
  setClock(ms);
  const id = newId("whd");
  setClock(NOW);
  return id;
}

async function looksFor(id: string, isThere: (days: Days) => boolean): Promise<Days[]> {
  const looks: Days[] = [];
  await findDelivery(id, async (days) => {
    looks.push(days);
    return isThere(days) ? [id] : [];
  });
  return looks;
}

const around = (first: number, last = first) => daysBetween((first - HOUR_MS) * 1_000, (last + HOUR_MS) * 1_000);

it("an id is looked for an hour around the time that it tells, and nowhere else where it is found there", async () => {
  const at = NOW - 5 * DAY_MS;
  expect(await looksFor(idOf(at), () => true)).toEqual([
    {
      from: "2026-11-20T11:00:00.000000Z",
      before: "2026-11-20T13:00:00.000000Z",
      attemptedFrom: "2026-11-19T11:00:00.000000Z",
    },
  ]);
});

it("what is not found there is looked for everywhere", async () => {
  expect(await looksFor(idOf(NOW), () => false)).toEqual([around(NOW), everyDay]);
});

it.each([
  ["of before ids told a time", () => "whd_8c24ca3bdbf02bbe1dd9a8f7"],
  ["that no process makes", () => "whd_1"],
  ["of a time to come", () => idOf(NOW + 2 * HOUR_MS)],
  ["of a time of which no delivery is kept", () => idOf(NOW - 32 * DAY_MS)],
])("an id %s is looked for everywhere at once", async (_, id) => {
  expect(await looksFor(id(), () => false)).toEqual([everyDay]);
});

it("several ids are looked for in the days of all of them, and those that are not there everywhere", async () => {
  const [older, newer, lost, old] = [
    idOf(NOW - 3 * DAY_MS),
    idOf(NOW),
    idOf(NOW - DAY_MS),
    "whd_8c24ca3bdbf02bbe1dd9a8f7",
  ];
  const looks: unknown[] = [];
  const found = await findDeliveries([old, older, lost, newer], async (ids, days) => {
    looks.push([ids, days]);
    return ids.filter((id) => id !== lost).map((id) => ({ id }));
  });
  expect(looks).toEqual([
    [[older, lost, newer], around(NOW - 3 * DAY_MS, NOW)],
    [[old, lost], everyDay],
  ]);
  expect(found.map(({ id }) => id)).toEqual([older, newer, old]);
});

it("times that none is stored of are no bounds", () => {
  expect(daysBetween(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)).toEqual(everyDay);
  expect(daysBetween(-1, 2 ** 60)).toEqual(everyDay);
});
