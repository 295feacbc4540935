/** An account as an application holds it. */
export interface Opened {
  accessToken: string;
  calendarId: string;
}

export interface Application {
  name: string;
  client_id: string;
  client_secret: string;
  redirect_uris: string[];
  compatibility_mode: boolean;
  plan: "standard";
}

export const DESCRIPTION = "The agenda is in the shared folder. Add what you want to talk about before noon.";
const DAY_MS = 86_400_000;
const BEGUN_DAYS_AGO = 40;
const SERIES = 2;
const AT_ONCE = 8;

/** As many applications as there are accounts: the rate limits of none are what is measured. */
export function newApplications(count: number): Application[] {
  return Array.from({ length: count }, (_, i) => ({
    name: `Cost ${i}`,
    client_id: `cost_${i}`,
    client_secret: `the_secret_of_application_${i}`,
    redirect_uris: [],
    compatibility_mode: false,
    plan: "standard",
  }));
}

/** An account of each application, with a calendar of two never-ending daily series: more than a page of events. Through the API, as an application would. */
export async function openAccounts(origin: string, applications: readonly Application[]): Promise<Opened[]> {
  const opened: Opened[] = [];
  for (let at = 0; at < applications.length; at += AT_ONCE) {
    const some = applications.slice(at, at + AT_ONCE);
    opened.push(...(await Promise.all(some.map((application) => openAccount(origin, application)))));
  }
  return opened;
}

async function openAccount(origin: string, { client_id, client_secret }: Application): Promise<Opened> {
  const form = new URLSearchParams({ client_id, client_secret, application_calendar_id: "cost" });
  const grant = await json(`${origin}/v1/application_calendars`, { method: "POST", body: form });
  const accessToken = String(grant.access_token);
  const headers = { authorization: `Bearer ${accessToken}`, "content-type": "application/json" };
  const { calendars } = await json(`${origin}/v1/calendars`, { headers });
  const calendarId = String((calendars as { calendar_id: string }[])[0]?.calendar_id);
  for (let n = 0; n < SERIES; n += 1) {
    const body = JSON.stringify(dailySeries(n));
    await checked(`${origin}/v1/calendars/${calendarId}/events`, { method: "POST", headers, body });
  }
  return { accessToken, calendarId };
}

function dailySeries(n: number) {
  const day = new Date(Date.now() - BEGUN_DAYS_AGO * DAY_MS).toISOString().slice(0, 10);
  return {
    event_id: `series-${n}`,
    summary: `Planning round ${n}`,
    description: DESCRIPTION,
    start: `${day}T1${n}:00:00Z`,
    end: `${day}T1${n}:45:00Z`,
    tzid: "Europe/Berlin",
    location: { description: "Room 12" },
    recurrence: { rules: [{ frequency: "daily" }] },
  };
}

async function json(url: string, init: RequestInit): Promise<Record<string, unknown>> {
  return (await checked(url, init)).json();
}

async function checked(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${(await response.text()).slice(0, 200)}`);
  return response;
}
