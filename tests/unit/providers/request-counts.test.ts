import { afterEach, beforeEach, expect, it } from "vitest";
import { context } from "@/server/context";
import { openMetrics } from "@/server/front-door/metrics/registry";
import type { ChangesInput, Connector, MailboxAccess } from "@/server/providers/connector";
import { feedConnector } from "@/server/providers/feed/connector";
import { googleConnector } from "@/server/providers/google/connector";
import { microsoftConnector } from "@/server/providers/microsoft/connector";
import { startGoogle } from "../../fakes/google/google";
import { startMicrosoft } from "../../fakes/microsoft/microsoft";
import { at } from "./microsoft-writing";

const ADA = "ada@example.com";
const window = { from: at("2027-01-01T00:00:00Z"), to: at("2027-06-01T00:00:00Z") };

let metrics: Awaited<ReturnType<typeof openMetrics>>;
beforeEach(async () => {
  metrics = await openMetrics();
  context.meters = metrics.meters;
});
afterEach(() => {
  context.meters = undefined;
});

/** The counts of requests to providers, by their labels. */
async function counted() {
  const observed = { pool: { total: 0, idle: 0, waiting: 0 }, admission: { request: 0, large_body: 0 } };
  const text = await metrics.text({ ...observed, longestHolds: {}, logLinesLost: 0, notReady: null });
  const lines = [...text.matchAll(/^almanac_provider_requests_total\{(.*)\} (\d+)$/gm)];
  return Object.fromEntries(lines.map(([, labels = "", count]) => [labels.replaceAll(/\w+="(\w+)"/g, "$1"), count]));
}

const access = (token: string, spent: number[] = []): MailboxAccess => ({
  credential: "",
  accessToken: async () => token,
  renewed: async () => {},
  spend: async (requests) => void spent.push(requests),
});

async function readAll(connector: Connector, opened: MailboxAccess, calendarId: string) {
  const input: ChangesInput = { calendarId, syncToken: null, window, known: async () => new Map() };
  const pages = connector.open(opened).changes(input);
  for (let page = await pages.next(); !page.done; page = await pages.next());
}

it("requests to Google are counted by kind, and by what came of them, as the budget is charged", async () => {
  const fake = await startGoogle({ knobs: { consent: "given" } });
  const { id: clientId, secret: clientSecret } = fake.client;
  const connector = googleConnector({ clientId, clientSecret, origin: fake.origin });
  const spent: number[] = [];
  const mailbox = access(fake.accessToken(ADA), spent);
  const list = () => connector.open(mailbox).calendars(null);
  try {
    await list();
    await readAll(connector, mailbox, ADA);
    for (const respond of ["projectQuotaExceeded", "tooManyRequests", "serviceUnavailable"] as const) {
      fake.faults.next({ path: /calendarList/, respond });
      await expect(list()).rejects.toThrow();
    }
    fake.faults.next({ path: /calendarList/, breakConnection: true, times: 2 });
    await expect(list()).rejects.toThrow("down");
    await expect(connector.signIn.kind === "oauth" && connector.signIn.refresh("nothing")).rejects.toThrow();
  } finally {
    await fake.close();
  }
  expect(await counted()).toEqual({
    "google,list,2xx": "1",
    "google,read,2xx": "1",
    "google,list,throttled": "2",
    "google,list,5xx": "1",
    "google,list,failed": "1",
    "google,sign_in,4xx": "1",
  });
  expect(spent).toEqual([1, 1, 1, 1, 1, 1]);
});

it("Google's quota of the whole project is told from an account's", async () => {
  const fake = await startGoogle({ knobs: { consent: "given" } });
  const connector = googleConnector({ clientId: "c", clientSecret: "s", origin: fake.origin });
  const asked = async (respond: "projectQuotaExceeded" | "rateLimitExceeded") => {
    fake.faults.next({ respond });
    return await connector.open(access(fake.accessToken(ADA))).calendars(null);
  };
  try {
    const fault = { kind: "throttled", after: null };
    await expect(asked("projectQuotaExceeded")).rejects.toMatchObject({ fault: { ...fault, scope: "application" } });
    await expect(asked("rateLimitExceeded")).rejects.toMatchObject({ fault: { ...fault, scope: "mailbox" } });
  } finally {
    await fake.close();
  }
});

it("requests to Outlook.com are counted apart from Microsoft 365's, and a feed's as its own", async () => {
  const fake = await startMicrosoft({});
  const options = { clientId: "c", clientSecret: "s", origin: fake.origin };
  const outlook = microsoftConnector({ ...options, provider: "outlook" });
  const feed = feedConnector({ allowedOrigins: [fake.origin] });
  try {
    await expect(outlook.open(access("no token")).calendars(null)).rejects.toThrow("credentials_rejected");
    const credential = JSON.stringify({ url: `${fake.origin}/no.ics`, name: "No", refreshMinutes: 60 });
    await feed.open({ ...access(""), credential }).calendars(null);
  } finally {
    await fake.close();
  }
  expect(await counted()).toEqual({ "outlook,list,4xx": "2", "feed,read,4xx": "1" });
});
