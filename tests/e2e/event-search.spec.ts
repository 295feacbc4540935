import { expect, type Page } from "@playwright/test";
import { apiAt } from "./api";
import { rowsOf } from "./database";
import { invitedDeveloper } from "./invited-developer";
import { look } from "./sound";
import { expectListening, type Staffed, signIn, test } from "./staff";

const EVENT = "board-meeting-4711";
/** From the sign-in page to all that happened: Sign in, the key of the search, Enter. */
const MOST_ACTIONS = 3;
/** A write that is refused, one that is accepted, a change in the sandbox. */
const WRITES = 3;

let staffed: Staffed;
let eventUid = "";

test.beforeAll(async ({ staffed: shared }) => {
  staffed = shared;
  const api = apiAt(() => staffed.service.origin);
  const opened = await api(null, "POST", "/v1/application_calendars", {
    ...{ client_id: "acme", client_secret: "acme-secret", application_calendar_id: "event-search" },
  });
  const token = opened.access_token;
  const { calendars } = await api(token, "GET", "/v1/calendars");
  const [{ calendar_id }] = calendars;
  await api(token, "POST", "/v1/channels", { callback_url: staffed.receiver.url("/event-search") });
  const day = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  const fields = { summary: "Board meeting", start: `${day}T10:00:00Z`, end: `${day}T11:00:00Z` };
  const path = `/v1/calendars/${calendar_id}/events`;
  await expect(api(token, "POST", path, { event_id: EVENT, ...fields, end: "never" })).rejects.toThrow("end must be");
  await api(token, "POST", path, { event_id: EVENT, ...fields });
  const { events } = await api(token, "GET", "/v1/events?tzid=Etc/UTC&include_managed=true");
  eventUid = events[0].event_uid;
  const moved = { ...fields, summary: "Later" };
  await api(token, "POST", "/v1/sandbox/changes", {
    ...{ type: "event_changed", calendar_id, event_id: EVENT, event: moved },
  });
  await staffed.receiver.next(({ json }) => json.notification?.type === "change", 30_000);
  await expectStored();
});

/** The log is written behind the responses, and the result of an attempt behind the attempt. */
async function expectStored() {
  const stored = `SELECT (SELECT count(*) FROM request_logs r WHERE event_keys IS NOT NULL AND r.account_id = a.id) AS writes,
  (SELECT count(*) FROM deliveries d WHERE type = 'change' AND state = 'delivered' AND d.account_id = a.id) AS delivered
  FROM accounts a WHERE application_calendar_id = 'event-search'`;
  await expect
    .poll(() => rowsOf(staffed.databaseUrl, stored), { timeout: 30_000 })
    .toEqual([{ writes: `${WRITES}`, delivered: "1" }]);
}

const field = (page: Page) => page.getByRole("combobox", { name: "Page, ID, URL, email or action" });
const steps = (page: Page) => page.getByRole("list", { name: "What happened" }).getByRole("listitem");

for (const named of ["event_id", "event_uid"])
  test(`all that happened to an event is three actions away from its ${named}`, async ({ page }, info) => {
    const actions: string[] = [];
    await page.goto(`${staffed.service.origin}/dashboard`);
    await page.getByLabel("Email").fill(staffed.operator.email);
    await page.getByLabel("Password").fill(staffed.operator.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    actions.push("Sign in");
    await expectListening(page);
    await page.keyboard.press("Control+k");
    actions.push("Control+k");
    await field(page).fill(named === "event_id" ? EVENT : eventUid);
    await page.keyboard.press("Enter"); // It waits for what is looked up.
    actions.push("Enter");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(EVENT);
    expect(actions.length, actions.join(", ")).toBeLessThanOrEqual(MOST_ACTIONS);

    await expect(steps(page)).toHaveCount(WRITES + 3);
    await expect(steps(page).nth(0)).toContainText("Delivered");
    await expect(steps(page).nth(0)).toContainText("attempt 1");
    await expect(steps(page).filter({ hasText: "Event changed by others" })).toContainText("webhook created");
    await expect(steps(page).filter({ hasText: "Sandbox: event_changed" })).toHaveCount(1);
    await expect(steps(page).filter({ hasText: "POST 202" }).last()).toContainText("Write event");
    await expect(steps(page).filter({ hasText: "POST 422" })).toContainText("reason: ");
    await expect(page.getByRole("main")).not.toContainText("Later");
    if (named === "event_uid") return;
    await look(page, info, "event");
    await page.getByRole("button", { name: "Show text" }).click();
    await expect(page.getByRole("main")).toContainText("Later");
  });

test("each entry of an event's page leads to its own", async ({ page }) => {
  await signIn(page, staffed, `/dashboard/events/${eventUid}`);
  await steps(page).filter({ hasText: "POST 422" }).getByRole("link").click();
  await expect(page).toHaveURL(/\/dashboard\/requests\?open=/);
  await expect(page.getByRole("complementary")).toContainText("errors.");
  await page.goBack();
  await steps(page).filter({ hasText: "Delivered" }).getByRole("link").click();
  await expect(page).toHaveURL(/\/dashboard\/deliveries\?open=/);
  await page.goBack();
  await page.getByRole("main").getByRole("link", { name: "Timeline" }).click();
  await expect(page).toHaveURL(/\/timeline$/);
  await page.goBack();
  await page.getByRole("main").locator("a[href*='/calendars?calendar=']").click();
  await expect(page).toHaveURL(/\/calendars\?calendar=.*#day$/);
  await page.getByRole("link", { name: "View event" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(EVENT);
});

test("a developer finds the events of their own applications alone, without text", async ({ page, browser }, info) => {
  const { service } = staffed;
  await signIn(page, staffed, "/dashboard");
  const found = async (who: { email: string; name: string; application: string }) => {
    const developer = await invitedDeveloper(browser, page, { service, ...who });
    await developer.keyboard.press("Control+k");
    await field(developer).fill(EVENT);
    return developer;
  };
  const own = await found({ email: "mia@acme.test", name: "Mia", application: "Acme" });
  await own.keyboard.press("Enter");
  await expect(own.getByRole("heading", { level: 1 })).toHaveText(EVENT);
  await expect(own.getByRole("button", { name: "Show text" })).toHaveCount(0);
  await look(own, info, "developer-event");
  const other = await found({ email: "ole@north.test", name: "Ole", application: "North" });
  await expect(other.getByRole("dialog").getByRole("status")).toHaveText(/^No account/);
  await other.goto(`${service.origin}/dashboard/events/${eventUid}`);
  await expect(other.getByText("Event not found").first()).toBeVisible();
});

test("an email offers its account before the list of accounts with it", async ({ page }) => {
  await signIn(page, staffed, "/dashboard");
  const email = await emailOfSomebody();
  await page.keyboard.press("Control+k");
  await field(page).fill(email);
  const options = page.getByRole("option");
  await expect(options).toHaveCount(2);
  await expect(options.nth(0)).toContainText(/Account ·/);
  await expect(options.nth(1)).toHaveText(`Accounts with email ${email}`);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/dashboard\/accounts\/(acc|apc)_[0-9a-f]+$/);
});

async function emailOfSomebody(): Promise<string> {
  const alone = "SELECT email FROM accounts WHERE email <> '' GROUP BY 1 HAVING count(*) = 1 LIMIT 1";
  return (await rowsOf(staffed.databaseUrl, alone))[0].email;
}
