import { expect, it } from "vitest";
import { storedEvents } from "../fakes/stored-events";
import { opened } from "./read-under-test";
import { expectIssues } from "./responses";
import { newApplication } from "./service";
import { change, daily, eventsPath, repeating, timesOf, write } from "./written-series";

const [IANA, WINDOWS] = ["Europe/Berlin", "W. Europe Standard Time"];
const at = (time: string, tzid: string | undefined = WINDOWS) => ({ time: `2025-12-01T${time}:00`, tzid });

it.each([
  ["tzid", { tzid: WINDOWS }],
  ["tzid, in another case", { tzid: WINDOWS.toLowerCase() }],
  ["the tzid inside start", { tzid: undefined, start: at("09:00"), end: at("09:30") }],
  ["both", { tzid: WINDOWS, start: at("17:00", "Tokyo Standard Time"), end: at("17:30", "Tokyo Standard Time") }],
])("a Windows name is stored as its IANA zone: %s", async (_, fields) => {
  const account = await opened();
  await write(account, { ...daily, ...fields, ...repeating({ frequency: "monthly", count: 6 }) });
  expect(await storedEvents(account.calendarId)).toMatchObject([{ tzid: IANA }]);
  expect(await timesOf(account)).toMatchObject([
    ["2025-12-01", "2025-12-01T08:00:00Z", "2025-12-01T08:30:00Z"],
    ["2026-01-01", "2026-01-01T08:00:00Z", "2026-01-01T08:30:00Z"],
    ["2026-02-01", "2026-02-01T08:00:00Z", "2026-02-01T08:30:00Z"],
    ["2026-03-01", "2026-03-01T08:00:00Z", "2026-03-01T08:30:00Z"],
    ["2026-04-01", "2026-04-01T07:00:00Z", "2026-04-01T07:30:00Z"],
    ["2026-05-01", "2026-05-01T07:00:00Z", "2026-05-01T07:30:00Z"],
  ]);
});

it("a Windows name says where the local times of changed occurrences are", async () => {
  const [account, other] = [await opened(), await opened()];
  const times = { start: at("10:00"), end: at("11:00") };
  const once = { frequency: "daily", count: 1 };
  await write(account, { ...daily, ...repeating(once, { change: [{ date: "2025-12-01", ...times }] }) });
  const changed = [["2025-12-01", "2025-12-01T09:00:00Z", "2025-12-01T10:00:00Z"]];
  expect(await timesOf(account)).toEqual(changed);
  await write(other, { ...daily, tzid: "Etc/UTC", ...repeating(once) });
  await change(other, "2025-12-01", times);
  expect(await timesOf(other)).toEqual(changed);
  const local = { start: { time: "2025-12-01T17:00" }, end: { time: "2025-12-01T18:00" } };
  await change(other, "2025-12-01", { ...local, tzid: "Tokyo Standard Time" });
  expect(await timesOf(other)).toMatchObject([["2025-12-01", "2025-12-01T08:00:00Z", "2025-12-01T09:00:00Z"]]);
});

it.each(["/v1/events", "/v1/free_busy"])("%s reads dates in a Windows zone, on later pages too", async (path) => {
  const account = await opened();
  const count = path === "/v1/events" ? 301 : 1001;
  const start = "2025-12-02T00:00:00+09:00";
  for (let i = 0; i * 150 < count; i++) {
    const rule = { frequency: "daily", count: Math.min(150, count - i * 150) };
    await write(account, { event_id: `${i}`, summary: "s", start, end: start, tzid: "Asia/Tokyo", ...repeating(rule) });
  }
  await write(account, { event_id: "before", summary: "s", start: "2025-12-01T23:59:59+09:00", end: start });
  const query = { tzid: "Tokyo Standard Time", from: "2025-12-02", include_managed: "true", localized_times: "true" };
  const first = await account.get(path, query);
  const rows = (answer: typeof first) => answer.json.events ?? answer.json.free_busy;
  expect(rows(first)[0].start).toBe("2025-12-02T00:00:00+09:00");
  const next = await account.get(path, {
    cursor: new URL(first.json.pages.next_page).searchParams.get("cursor") ?? "",
  });
  expect(rows(first).length + rows(next).length).toBe(count);
  expect(rows(next).at(-1).start).toMatch(/\+09:00$/);
});

it("an unknown name has the name that was probably meant in its description, but in compatibility mode", async () => {
  const account = await opened();
  const answer = await account.post(eventsPath(account.calendarId), {
    ...daily,
    tzid: "Europe/Berln",
    start: at("09:00", "US/Estern"),
    end: at("09:30", "Mars/Olympus"),
  });
  const key = { tzid: "errors.invalid", "start.tzid": "errors.invalid", "end.tzid": "errors.invalid" };
  expectIssues(answer, key);
  const described = Object.values<{ description: string }[]>(answer.json.errors).map(([error]) => error?.description);
  expect(described).toEqual([
    "start.tzid is not an IANA time zone: did you mean US/Eastern?",
    "end.tzid is not an IANA time zone",
    "tzid is not an IANA time zone: did you mean Europe/Berlin?",
  ]);
  const read = await account.get("/v1/events", { tzid: "America/New York" });
  expect(read.json.errors.tzid[0].description).toMatch(/did you mean America\/New_York\?$/);
  const compatible = await opened(undefined, await newApplication({ compatibilityMode: true }));
  const refused = await compatible.get("/v1/events", { tzid: "Europe/Berln" });
  expect(refused.json.errors).toEqual({
    tzid: [{ key: "errors.tzid_unrecognized", description: "tzid not recognized" }],
  });
});
