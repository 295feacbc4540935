import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { processServices } from "@/server/http/process-services";
import { ownDatabase } from "../own-database";
import { openCalendar } from "../service";
import { type Browser, browser, newOperator, type Person, signedInBrowser, trail } from "./browser";

ownDatabase();

let person: Person;
let staff: Browser;

beforeAll(async () => {
  person = await newOperator();
  staff = await signedInBrowser(person);
});

const OURS = { "sec-fetch-site": "same-origin" };

describe("an export", () => {
  it("of requests has durations with one decimal", async () => {
    const { accountId, get } = await openCalendar();
    await get("/v1/account");
    await processServices().requestLog.flush(10_000);
    await db().query("UPDATE request_logs SET duration_ms = 14.231421000004048 WHERE account_id = $1", [accountId]);
    const answer = await staff.get(`/dashboard/requests/export?account=${accountId}`, OURS);
    expect(answer.status).toBe(200);
    const [names, row] = answer.text.split("\r\n").map((line) => line.split(","));
    expect(row?.[names?.indexOf("duration_ms") ?? -1]).toBe("14.2");
  });

  it.each(["deliveries", "requests"])("of %s has its times in the zone that the dashboard shows", async (list) => {
    const opened = await openCalendar();
    const { channel } = (await opened.post("/v1/channels", { callback_url: "https://hooks.acme.io/x" })).json;
    await db().query(
      `INSERT INTO deliveries (id, channel_id, account_id, application_id, type, body, host)
SELECT 'whd_' || $1, $1, id, application_id, 'change', '{}', 'hooks.acme.io' FROM accounts WHERE id = $2`,
      [channel.channel_id, opened.accountId],
    );
    await processServices().requestLog.flush(10_000);
    const timesIn = async (zone: string) => {
      staff.jar.set("almanac_times", zone);
      const { text } = await staff.get(`/dashboard/${list}/export?account=${opened.accountId}`, OURS);
      return text.match(/\d{4}-\d\d-\d\dT\d\d:\d\d:[^,\r]*/g) ?? [];
    };
    expect((await timesIn("utc")).every((time) => time.endsWith("Z"))).toBe(true);
    const inTokyo = await timesIn("Asia%2FTokyo");
    expect(inTokyo.length).toBeGreaterThan(0);
    expect(inTokyo.every((time) => time.endsWith("+09:00"))).toBe(true);
  });

  it.each(["deliveries", "requests"])(
    "of %s is noted in the audit trail with what it was narrowed by",
    async (list) => {
      const before = (await trail(list)).length;
      const token = "at_0123456789abcdef0123456789";
      const query = `application=app_1&statusClass=4xx&statusClass=5xx&from=2026-11-01T10:00&id=${token}`;
      expect((await staff.get(`/dashboard/${list}/export?${query}`, OURS)).status).toBe(200);
      expect((await trail(list)).slice(before)).toEqual([
        expect.objectContaining({
          action: `${list}.exported`,
          operator_id: person.id,
          detail: {
            application: "app_1",
            statusClass: ["4xx", "5xx"],
            from: "2026-11-01T10:00:00.000Z",
            id: "[redacted]",
          },
        }),
      ]);
    },
  );

  it("that is refused is not noted", async () => {
    const before = (await trail("deliveries")).length;
    expect((await staff.get("/dashboard/deliveries/export?state=lost", OURS)).status).toBe(422);
    expect((await browser().get("/dashboard/deliveries/export", OURS)).status).toBe(401);
    expect(await trail("deliveries")).toHaveLength(before);
  });
});
