import { beforeAll, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { openFeed, readFeed } from "../feeds";
import { openCalendar } from "../service";
import { newOperator, type Operator, refusal } from "./staff-caller";

let staff: Operator;

beforeAll(async () => {
  staff = await newOperator();
});

it("the calendars of an account show their feeds, which staff may end", async () => {
  const opened = await openCalendar();
  const feeds = [
    await openFeed(opened, { detail: "titles", days_ahead: 30 }),
    await openFeed(opened, { detail: "busy" }),
  ];
  const [titles, busy] = feeds;
  await readFeed(feeds[0] ?? { path: "" });
  const shown = async () =>
    (await staff.api.accounts.get({ id: opened.accountId })).calendars.map(({ feeds }) => feeds);
  const [before = []] = await shown();
  const time = expect.stringMatching(/Z$/);
  expect(before).toEqual([
    { id: titles?.id, detail: "titles", daysBack: 42, daysAhead: 30, createdAt: time, lastReadAt: time },
    { id: busy?.id, detail: "busy", daysBack: 42, daysAhead: 201, createdAt: time, lastReadAt: null },
  ]);
  await staff.api.accounts.endFeed({ id: titles?.id ?? "" });
  expect(await shown()).toEqual([before.slice(1)]);
  expect((await readFeed(titles ?? { path: "" })).status).toBe(404);
  expect((await readFeed(busy ?? { path: "" })).status).toBe(200);
  expect(await refusal(staff.api.accounts.endFeed({ id: titles?.id ?? "" }))).toEqual({ kind: "not_found" });
  const entries = await db().prisma.auditEntry.findMany({ where: { object: opened.accountId, action: "feed.ended" } });
  expect(entries).toMatchObject([{ detail: { feedId: titles?.id, calendarId: opened.calendarId, detail: "titles" } }]);
});
