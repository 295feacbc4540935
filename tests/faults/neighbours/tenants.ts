import { fromAddress } from "@/tests/rig/from-address";
import { ownOrigin } from "@/tests/rig/sign-in";

export const CALLBACK = "http://127.0.0.1:4000/callback";

/** An application of the configuration. */
export interface Tenant {
  origin: string;
  clientId: string;
  clientSecret: string;
}

export interface Holder {
  token: string;
  calendarId: string;
}

const form = (fields: Record<string, string>) => new URLSearchParams(fields);

async function jsonOf(response: Response, what: string) {
  if (!response.ok) throw new Error(`${what}: ${response.status} ${await response.text()}`);
  return await response.json();
}

/** An application calendar with its token. */
export async function hostedCalendar(tenant: Tenant, name: string): Promise<Holder> {
  const fields = { client_id: tenant.clientId, client_secret: tenant.clientSecret, application_calendar_id: name };
  const response = await fetch(`${tenant.origin}/v1/application_calendars`, { method: "POST", body: form(fields) });
  const { access_token: token } = await jsonOf(response, "opening a calendar");
  return { token, calendarId: await firstCalendar(tenant.origin, token) };
}

/** Connects a mailbox on the connect page, as its owner does in a browser, and gives the application's token. */
export async function connectMailbox(tenant: Tenant, user: string, from = "127.0.0.1"): Promise<Holder> {
  const { origin, clientId, clientSecret } = tenant;
  const asked = new URLSearchParams({ response_type: "code", client_id: clientId, redirect_uri: CALLBACK, state: "s" });
  const page = await fromAddress(from, `${origin}/oauth/authorize?${asked}&provider_name=apple`);
  const hidden = [...page.text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)];
  const fields = Object.fromEntries(hidden.map(([, name = "", value = ""]) => [name, value.replaceAll("&amp;", "&")]));
  const sent = await fromAddress(from, `${origin}/oauth/authorize`, {
    method: "POST",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      cookie: page.cookies.map((cookie) => cookie.split(";", 1)[0]).join("; "),
      origin: ownOrigin(origin),
    },
    body: form({ ...fields, username: user, password: "abcd-efgh-ijkl-mnop" }).toString(),
  });
  const code = new URL(sent.location ?? "x:/").searchParams.get("code");
  if (!code) throw new Error(`connecting ${user}: ${sent.status} ${/<title>[^<]*/.exec(sent.text)?.[0] ?? sent.text}`);
  const response = await fetch(`${origin}/oauth/token`, {
    method: "POST",
    body: form({
      grant_type: "authorization_code",
      client_id: clientId,
      client_secret: clientSecret,
      code,
      redirect_uri: CALLBACK,
    }),
  });
  const { access_token: token } = await jsonOf(response, "exchanging a code");
  return { token, calendarId: await firstCalendar(origin, token) };
}

/** So many, one after the other. */
export async function many(count: number, make: (i: number) => Promise<Holder>): Promise<Holder[]> {
  const made: Holder[] = [];
  for (let i = 0; i < count; i += 1) made.push(await make(i));
  return made;
}

async function firstCalendar(origin: string, token: string): Promise<string> {
  const response = await fetch(`${origin}/v1/calendars`, { headers: { authorization: `Bearer ${token}` } });
  return (await jsonOf(response, "listing calendars")).calendars[0].calendar_id;
}

/** Gives the channel's id. */
export async function openChannel({ origin }: Tenant, { token }: Holder, callback_url: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const body = JSON.stringify({ callback_url });
  const response = await fetch(`${origin}/v1/channels`, { method: "POST", headers, body });
  return (await jsonOf(response, "opening a channel")).channel.channel_id;
}

/** The body of a write of an event of an hour, some hours from now. */
export function eventBody(event_id: string, more: object = {}, hours = 24): string {
  const at = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;
  const starts = Math.ceil(Date.now() / 3_600_000 + hours) * 3_600_000;
  return JSON.stringify({ event_id, summary: "A meeting", start: at(starts), end: at(starts + 3_600_000), ...more });
}

/** Writes an event, expecting 202. */
export async function write({ origin }: Tenant, { token, calendarId }: Holder, body: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const response = await fetch(`${origin}/v1/calendars/${calendarId}/events`, { method: "POST", headers, body });
  if (response.status !== 202) throw new Error(`writing: ${response.status} ${await response.text()}`);
}

/** Reads a page to its end; where it is refused for a while, the next one may be let in. */
export async function readPage({ origin }: Tenant, { token }: Holder, path: string): Promise<void> {
  const response = await fetch(origin + path, { headers: { authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  if (![200, 429, 503].includes(response.status)) throw new Error(`reading: ${response.status}`);
}
