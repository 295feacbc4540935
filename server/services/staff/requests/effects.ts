import type { Database } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { idInPath, isRead } from "@/server/domain/endpoints";
import type { Scope } from "@/server/services/staff/procedure/scope";
import { eventState, type StoredEventState } from "@/server/services/staff/requests/requests.sql";
import type { CausedEvent, RequestEffects, StoredBody } from "@/server/services/staff/requests/shapes";

const MOST_DELIVERIES = 20;
/** A channel is verified a second after its creation, later only while background work is stopped: then all days are searched. */
const SOON_MS = 3_600_000;
const ID = /^[\x21-\x7e]{1,512}$/;

/** A completed request in the log. */
export interface CompletedRequest {
  method: string;
  path: string;
  endpoint: string | null;
  status: number;
  accountId: string | null;
  requestBody: StoredBody;
  responseBody: StoredBody;
}

/** The reader of a request: ids in a request may be anybody's, so they are looked up in the reader's scope. */
interface Reader {
  db: Database;
  scope: Scope;
}

/**
 * Finds what a request caused, as far as it still exists, by the ids in its path, its body and its response, which the
 * log keeps.
 */
export async function effectsOf(reader: Reader, request: CompletedRequest): Promise<RequestEffects> {
  const nothing: RequestEffects = { deliveries: [], events: [], channel: null, accountId: null };
  const isDone = request.status >= 200 && request.status < 300;
  if (!isDone || isRead(request)) return nothing;
  switch (request.endpoint) {
    case "/v1/calendars/{calendar_id}/events":
    case "/v1/calendars/{calendar_id}/events/occurrences":
      return { ...nothing, events: await eventOf(reader, request) };
    case "/v1/channels":
      return { ...nothing, ...(await channelOf(reader, text(field(request.responseBody, "channel"), "channel_id"))) };
    case "/v1/channels/{channel_id}":
      return { ...nothing, ...(await channelOf(reader, idInPath(request.path))) };
    case "/v1/application_calendars":
    case "/oauth/token":
      return { ...nothing, accountId: await accountOf(reader, request) };
    default:
      return nothing;
  }
}

async function eventOf({ db, scope }: Reader, { path, requestBody }: CompletedRequest): Promise<CausedEvent[]> {
  const calendarId = idInPath(path);
  const eventId = text(requestBody, "event_id");
  if (calendarId === null || eventId === null || !(await scope.allows("calendar", calendarId))) return [];
  const [found] = await run(db.query, eventState, [calendarId, eventId]);
  return [{ calendarId, eventId, ...stateOf(found) }];
}

function stateOf(found: StoredEventState | undefined): Pick<CausedEvent, "state" | "reason"> {
  if (!found) return { state: "deleted", reason: null };
  const { provider, isLiving, refused, reason } = found;
  if (refused !== null) return { state: refused ? "refused" : "waiting", reason };
  if (!isLiving) return { state: "deleted", reason: null };
  return { state: provider === "hosted" ? "stored" : "pushed", reason: null };
}

async function channelOf(
  { db: { prisma }, scope }: Reader,
  id: string | null,
): Promise<Pick<RequestEffects, "channel" | "deliveries">> {
  const select = { id: true, createdAt: true, closedAt: true };
  const isSeen = id !== null && (await scope.allows("channel", id));
  const channel = !isSeen ? null : await prisma.channel.findUnique({ select, where: { id } });
  if (!channel) return { channel: null, deliveries: [] };
  const since = channel.createdAt;
  const soon = await verificationsOf(prisma, channel.id, { gte: since, lt: new Date(since.getTime() + SOON_MS) });
  const deliveries = soon.length > 0 ? soon : await verificationsOf(prisma, channel.id, { gte: since });
  return { channel: { id: channel.id, closedAt: channel.closedAt?.toISOString() ?? null }, deliveries };
}

/** Finds a channel's verifications created in a time. */
function verificationsOf(prisma: Database["prisma"], channelId: string, createdAt: { gte: Date; lt?: Date }) {
  return prisma.delivery.findMany({
    select: { id: true, type: true, state: true },
    where: { channelId, type: "verification", createdAt },
    orderBy: { createdAt: "asc" },
    take: MOST_DELIVERIES,
  });
}

async function accountOf(
  { db: { prisma }, scope }: Reader,
  { accountId, responseBody }: CompletedRequest,
): Promise<string | null> {
  const id = accountId ?? text(responseBody, "sub") ?? text(responseBody, "account_id");
  const isSeen = id !== null && (await scope.allows("account", id));
  const account = !isSeen ? null : await prisma.account.findUnique({ select: { id: true }, where: { id } });
  return account?.id ?? null;
}

function field(body: StoredBody, name: string): StoredBody {
  return typeof body === "object" && body !== null && !Array.isArray(body) ? (body[name] ?? null) : null;
}

/** Reads a field of a body. A truncated body has its beginning under `body`. */
function text(body: StoredBody, name: string): string | null {
  const value = field(body, name) ?? (field(body, "truncated") === true ? field(field(body, "body"), name) : null);
  return typeof value === "string" && ID.test(value) && value !== "[redacted]" ? value : null;
}
