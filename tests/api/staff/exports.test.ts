import { beforeEach, describe, expect, it } from "vitest";
import { processServices } from "@/server/http/process-services";
import { addDeliveries } from "../../fakes/stored-deliveries";
import { auditTrail } from "../../fakes/stored-operators";
import { setLoggedDuration } from "../../fakes/stored-traffic";
import { ownDatabase } from "../own-database";
import { openCalendar } from "../service";
import { type Browser, browser, newOperator, type Person, signedInBrowser } from "./browser";

ownDatabase();

let person: Person;
let staff: Browser;

// An operator has six exports at once.
beforeEach(async () => {
  person = await newOperator();
  staff = await signedInBrowser(person);
});

const OURS = { "sec-fetch-site": "same-origin" };

describe("an export", () => {
  it.each([
    [
      "deliveries",
      "delivery_id,state,type,application_id,application,account_id,channel_id,host,endpoint,attempts,last_status,last_error,created_at,next_attempt_at,finished_at,manual,test",
    ],
    [
      "requests",
      "request_id,at,method,path,endpoint,status,duration_ms,application_id,application,account_id,error_keys,log_id",
    ],
  ])("of %s has the columns that its list declares, in their order", async (list, columns) => {
    const { text, headers } = await staff.get(`/dashboard/${list}/export`, OURS);
    expect(text.split("\r\n")[0]).toBe(columns);
    expect(headers.get("content-disposition")).toBe(`attachment; filename="${list}.csv"`);
  });

  it("of requests has durations with one decimal", async () => {
    const { accountId, get } = await openCalendar();
    await get("/v1/account");
    await processServices().requestLog.flush(10_000);
    await setLoggedDuration(accountId, 14.231421000004048);
    const answer = await staff.get(`/dashboard/requests/export?account=${accountId}`, OURS);
    expect(answer.status).toBe(200);
    const [names, row] = answer.text.split("\r\n").map((line) => line.split(","));
    expect(row?.[names?.indexOf("duration_ms") ?? -1]).toBe("14.2");
  });

  it.each(["deliveries", "requests"])("of %s has its times in the zone that the dashboard shows", async (list) => {
    const opened = await openCalendar();
    const { channel } = (await opened.post("/v1/channels", { callback_url: "https://hooks.acme.io/x" })).json;
    await addDeliveries(channel.channel_id);
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
      const before = (await auditTrail(list)).length;
      const token = "at_0123456789abcdef0123456789";
      const query = `application=app_1&statusClass=4xx&statusClass=5xx&from=2026-11-01T10:00&id=${token}`;
      expect((await staff.get(`/dashboard/${list}/export?${query}`, OURS)).status).toBe(200);
      expect((await auditTrail(list)).slice(before)).toEqual([
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
    const before = (await auditTrail("deliveries")).length;
    expect((await staff.get("/dashboard/deliveries/export?state=lost", OURS)).status).toBe(422);
    expect((await browser().get("/dashboard/deliveries/export", OURS)).status).toBe(401);
    expect(await auditTrail("deliveries")).toHaveLength(before);
  });
});

describe("the export of the audit trail", () => {
  const path = "/dashboard/settings/audit/export";

  it("has what its filters leave, in the zone that the dashboard shows, no formula, and is noted", async () => {
    const admin = await newOperator({ role: "admin" });
    const browser = await signedInBrowser(admin);
    const uri = "https://acme.io/?a=1";
    const made = await browser.mutate("applications.create", { name: "=1+1", redirectUris: [uri] });
    const { id } = made.json.result.data;
    browser.jar.set("almanac_times", "Asia%2FTokyo");
    const before = (await auditTrail("audit")).length;
    const { text, headers, status } = await browser.get(`${path}?view=changes&application=${id}`, OURS);
    expect([status, headers.get("content-disposition")]).toEqual([200, 'attachment; filename="audit.csv"']);
    const [names, row, ...more] = text.split("\r\n");
    expect(names).toBe("at,operator_id,operator,action,object,detail,ip_address,request_id");
    expect(row).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.\d]*\+09:00,/);
    expect(row).toContain(`${admin.id},${admin.email} (admin),application.created,${id},`);
    expect(row).not.toMatch(/[,"]=/);
    expect(more).toEqual([""]);
    expect((await auditTrail("audit")).slice(before)).toEqual([
      expect.objectContaining({
        action: "audit.exported",
        operator_id: admin.id,
        detail: { view: ["changes"], application: id },
      }),
    ]);
    expect((await browser.get(`${path}?view=reads&application=${id}`, OURS)).text.split("\r\n")).toHaveLength(2);
  });

  it.each(["support", "developer"] as const)("is refused to %s, and not noted", async (role) => {
    const browser = await signedInBrowser(await newOperator({ role }));
    const before = (await auditTrail("audit")).length;
    expect((await browser.get(path, OURS)).status).toBe(403);
    expect(await auditTrail("audit")).toHaveLength(before);
  });

  it("is refused to other sites, to nobody, and for a view that there is not", async () => {
    const admin = await signedInBrowser(await newOperator({ role: "admin" }));
    expect((await admin.get(path, { "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await browser().get(path, OURS)).status).toBe(401);
    expect((await admin.get(`${path}?view=writes`, OURS)).status).toBe(422);
  });
});
