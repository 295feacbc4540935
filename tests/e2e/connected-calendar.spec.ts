import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { otherClient } from "../fakes/other-client";
import { type Got, type Receiver, startReceiver } from "../fakes/receiver";
import { killAll, type Service, start } from "../start/service";
import { apiAt, credentials } from "./api";
import { tabTo } from "./keyboard";
import { type Outside, startOutside } from "./outside";

const POLL_S = 2;
/** Patience, not a promise: each wait ends with what it waits for. A refused password is asked for once more after half a minute. */
const WITHIN_MS = 120_000;
const dataDir = mkdtempSync(join(tmpdir(), "almanac-connected-"));

let outside: Outside;
let receiver: Receiver;
let service: Service;
/** How often the service listed the person's calendars: each is the beginning of a sync. */
let listings = 0;
const api = apiAt(() => service.origin);

test.beforeAll(async () => {
  test.setTimeout(600_000);
  [outside, receiver] = await Promise.all([startOutside({}, 0), startReceiver()]);
  outside.instead = ({ method, headers }) => {
    if (method === "PROPFIND" && headers.depth === "1" && headers["user-agent"] === "Almanac") listings += 1;
    return undefined;
  };
  const bootstrap = [{ ...credentials, name: "Acme", redirect_uris: [outside.callback] }];
  service = await start(
    {
      DATA_DIR: dataDir,
      ICLOUD_CALDAV_URL: outside.origin,
      SYNC_POLL_SECONDS: String(POLL_S),
      SYNC_QUIET_POLL_SECONDS: String(POLL_S),
      CALLBACK_ALLOWED_ORIGINS: receiver.origin,
      BOOTSTRAP_APPLICATIONS: JSON.stringify(bootstrap),
    },
    resolve(import.meta.dirname, "../.."),
  );
});

test.afterAll(async () => {
  await service?.stop();
  killAll();
  await Promise.all([outside?.close(), receiver?.close()]);
  rmSync(dataDir, { recursive: true, force: true });
});

test("a calendar is connected, written to, changed elsewhere, signed out and connected again", async ({ page }) => {
  test.setTimeout(600_000);
  const first = await connect(page);
  const { calendars } = await api(first.access_token, "GET", "/v1/calendars");
  const [personal] = calendars;
  expect(calendars).toEqual([
    expect.objectContaining({ calendar_name: "Personal", calendar_readonly: false, calendar_primary: true }),
  ]);
  await expect
    .poll(async () => (await profileOf(first.access_token)).profile_initial_sync_required, { timeout: WITHIN_MS })
    .toBe(false);
  const { channel } = await api(first.access_token, "POST", "/v1/channels", { callback_url: receiver.url() });
  const of = (type: string) => (got: Got) =>
    got.json.channel.channel_id === channel.channel_id && got.json.notification.type === type;
  await receiver.next(of("verification"), WITHIN_MS);

  const other = otherClient(outside.radicale.calendar, outside.radicale);
  await write(first.access_token, personal.calendar_id, "Our review");
  await expect
    .poll(async () => (await other.find("SUMMARY:Our review"))?.url, { timeout: WITHIN_MS })
    .toMatch(/\.ics$/);
  const pushedAt = listings;
  await expect.poll(() => listings, { timeout: WITHIN_MS }).toBeGreaterThan(pushedAt + 2);

  await other.change("SUMMARY:Our review", (ics) => ics.replace("SUMMARY:Our review", "SUMMARY:Their review"));
  const change = await receiver.next(of("change"), WITHIN_MS);
  const since = change.json.notification.changes_since;
  expect(await summaries(first.access_token, since)).toEqual(["Their review"]);
  expect(receiver.got.filter(of("change"))).toHaveLength(1); // and none for what we wrote ourselves

  await outside.radicale.changePassword("wxyz-abcd-efgh-ijkl");
  await receiver.next(of("profile_disconnected"), WITHIN_MS);
  expect(await profileOf(first.access_token)).toMatchObject({ profile_connected: false });
  const kept = await api(first.access_token, "GET", "/v1/calendars");
  expect(kept.calendars).toEqual([expect.objectContaining({ calendar_id: personal.calendar_id })]);

  const second = await connect(page);
  expect(second.sub).toBe(first.sub);
  expect(second.linking_profile.profile_id).toBe(first.linking_profile.profile_id);
  const again = await api(second.access_token, "GET", "/v1/calendars");
  expect(again.calendars).toEqual(kept.calendars);
  expect(await profileOf(second.access_token)).toMatchObject({ profile_connected: true });
  receiver.got.splice(0);
  const back = otherClient(outside.radicale.calendar, outside.radicale);
  await back.change("SUMMARY:Their review", (ics) => ics.replace("SUMMARY:Their review", "SUMMARY:Seen again"));
  const seen = async () => {
    const { json } = await receiver.next(of("change"), WITHIN_MS);
    return await summaries(second.access_token, json.notification.changes_since);
  };
  await expect.poll(seen, { timeout: WITHIN_MS }).toEqual(["Seen again"]);
});

/** From the authorize URL through the page with nothing but the keyboard, and from the code to tokens. */
// biome-ignore lint/suspicious/noExplicitAny: the test looks into the documented JSON.
async function connect(page: Page): Promise<any> {
  const asked = { response_type: "code", client_id: "acme", redirect_uri: outside.callback, state: "s-1" };
  await page.goto(`${service.origin}/oauth/authorize?${new URLSearchParams(asked)}`);
  await tabTo(page, page.getByRole("link", { name: new URL(outside.origin).host }));
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByLabel("Username or email"));
  await page.keyboard.type(outside.radicale.user);
  await tabTo(page, page.getByLabel("Password"));
  await page.keyboard.type(outside.radicale.password);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/application/welcome?**");
  const { searchParams } = new URL(page.url());
  expect(searchParams.get("state")).toBe("s-1");
  const code = searchParams.get("code");
  const exchange = { ...credentials, grant_type: "authorization_code", code, redirect_uri: outside.callback };
  return await api(null, "POST", "/oauth/token", exchange);
}

async function profileOf(token: string) {
  const { profiles } = await api(token, "GET", "/v1/profiles");
  return profiles[0];
}

async function write(token: string, calendarId: string, summary: string): Promise<void> {
  const at = (hours: number) => `${new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)}T${hours}:00:00Z`;
  const event = { event_id: "review", summary, description: "", start: at(10), end: at(11) };
  await api(token, "POST", `/v1/calendars/${calendarId}/events`, event);
}

async function summaries(token: string, since: string): Promise<string[]> {
  const query = new URLSearchParams({ tzid: "Etc/UTC", include_managed: "true", last_modified: since });
  const { events } = await api(token, "GET", `/v1/events?${query}`);
  return events.map(({ summary }: { summary: string }) => summary);
}
