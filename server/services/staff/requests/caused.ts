import type { Query } from "@/server/db/client";
import { idInPath } from "@/server/domain/endpoints";
import type { Caused, CausedEvent, StoredBody } from "@/server/services/staff/requests/shapes";

const MOST_DELIVERIES = 20;
const ID = /^[\x21-\x7e]{1,512}$/;

/** What is known of a request that was answered. */
export interface Answered {
  method: string;
  path: string;
  endpoint: string | null;
  status: number;
  accountId: string | null;
  requestBody: StoredBody;
  responseBody: StoredBody;
}

/** What a request brought about, as far as it still shows: found by the ids in its path, its body and its answer, which the log keeps. */
export async function causedBy(query: Query, request: Answered): Promise<Caused> {
  const nothing: Caused = { deliveries: [], events: [], channel: null, accountId: null };
  const isDone = request.status >= 200 && request.status < 300;
  if (!isDone || request.method === "GET" || request.method === "HEAD") return nothing;
  switch (request.endpoint) {
    case "/v1/calendars/{calendar_id}/events":
    case "/v1/calendars/{calendar_id}/events/occurrences":
      return { ...nothing, events: await eventOf(query, request) };
    case "/v1/channels":
      return { ...nothing, ...(await channelOf(query, text(field(request.responseBody, "channel"), "channel_id"))) };
    case "/v1/channels/{channel_id}":
      return { ...nothing, ...(await channelOf(query, idInPath(request.path))) };
    case "/v1/application_calendars":
    case "/oauth/token":
      return { ...nothing, accountId: await accountOf(query, request) };
    default:
      return nothing;
  }
}

async function eventOf(query: Query, { path, requestBody }: Answered): Promise<CausedEvent[]> {
  const calendarId = idInPath(path);
  const eventId = text(requestBody, "event_id");
  if (calendarId === null || eventId === null) return [];
  const [found] = await query<{ provider: string; isLiving: boolean; refused: boolean | null; reason: string | null }>(
    stateOfEvent,
    [calendarId, eventId],
  );
  return [{ calendarId, eventId, ...stateOf(found) }];
}

function stateOf(
  found: { provider: string; isLiving: boolean; refused: boolean | null; reason: string | null } | undefined,
): Pick<CausedEvent, "state" | "reason"> {
  if (!found) return { state: "deleted", reason: null };
  const { provider, isLiving, refused, reason } = found;
  if (refused !== null) return { state: refused ? "refused" : "waiting", reason };
  if (!isLiving) return { state: "deleted", reason: null };
  return { state: provider === "hosted" ? "stored" : "pushed", reason: null };
}

/** A write that its provider does not have yet is found with its event deleted too; there are few of them in a calendar. */
const stateOfEvent = `SELECT p.provider::text AS provider, living.id IS NOT NULL AS "isLiving",
  CASE WHEN w.id IS NULL THEN NULL ELSE w.refused_at IS NOT NULL END AS refused, w.last_error AS reason
FROM calendars c JOIN profiles p ON p.id = c.profile_id
LEFT JOIN events living ON living.calendar_id = c.id AND living.event_id = $2 AND living.deleted_at IS NULL
LEFT JOIN LATERAL (SELECT w.id, w.refused_at, w.last_error FROM provider_writes w JOIN events e ON e.id = w.event_row
  WHERE w.calendar_id = c.id AND e.event_id = $2 ORDER BY w.id DESC LIMIT 1) w ON true
WHERE c.id = $1`;

async function channelOf(query: Query, channelId: string | null): Promise<Pick<Caused, "channel" | "deliveries">> {
  const [channel] = await query<{ id: string; closedAt: Date | null }>(
    `SELECT id, closed_at AS "closedAt" FROM channels WHERE id = $1`,
    [channelId],
  );
  if (!channel) return { channel: null, deliveries: [] };
  const deliveries = await query<Caused["deliveries"][number]>(
    `SELECT id, type, state::text AS state FROM deliveries WHERE channel_id = $1 AND type = 'verification' ORDER BY created_at LIMIT ${MOST_DELIVERIES}`,
    [channel.id],
  );
  return { channel: { id: channel.id, closedAt: channel.closedAt?.toISOString() ?? null }, deliveries };
}

async function accountOf(query: Query, { accountId, responseBody }: Answered): Promise<string | null> {
  const named = accountId ?? text(responseBody, "sub") ?? text(responseBody, "account_id");
  const [account] = await query<{ id: string }>("SELECT id FROM accounts WHERE id = $1", [named]);
  return account?.id ?? null;
}

function field(body: StoredBody, name: string): StoredBody {
  return typeof body === "object" && body !== null && !Array.isArray(body) ? (body[name] ?? null) : null;
}

/** A body that was cut keeps what it began with under `body`. */
function text(body: StoredBody, name: string): string | null {
  const value = field(body, name) ?? (field(body, "truncated") === true ? field(field(body, "body"), name) : null);
  return typeof value === "string" && ID.test(value) && value !== "[redacted]" ? value : null;
}
