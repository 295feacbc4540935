import { randomUUID } from "node:crypto";
import { orderedHex, orderedUuid } from "@/server/db/ordered-hex";
import { REQUEST_IDS } from "@/server/demo/marks";
import type { FilledAccount } from "@/server/demo/month/accounts";
import type { PastDelivery } from "@/server/demo/month/deliveries";
import { inPieces, type Month } from "@/server/demo/month/month";
import { DAY_MS } from "@/server/demo/month/time";
import { REQUESTS_KEPT_DAYS } from "@/server/domain/retention";
import { formatInstant, type Instant } from "@/server/domain/time/instant";
import type { RequestLogEntry } from "@/server/http/request-log/entry";
import { heldRow } from "@/server/http/request-log/held-row";
import { requestLogRow } from "@/server/http/request-log/row";
import { type StoredRequest, storeRequests } from "@/server/store/request-logs/request-logs";

/** A request in the past. */
export interface PastRequest {
  at: number;
  /** Null: the caller is unknown. */
  account: FilledAccount | null;
  method: "GET" | "POST" | "DELETE";
  path: string;
  search?: string;
  body?: object;
  status: number;
  response?: object;
  durationMs: number;
}

/** Stores requests as the running service's log does: redacted, and counted by the minute. */
export async function storePastRequests({ db, now }: Month, requests: readonly PastRequest[]): Promise<number> {
  const rows = requests
    .filter(({ at, account }) => now - at < keptDays(account) * DAY_MS)
    .map(entryOf)
    .map((entry): StoredRequest => requestLogRow(heldRow(entry, orderedUuid(entry.at.getTime()))));
  await inPieces(rows, (some) => storeRequests(db, some));
  return rows.length;
}

const planOf = (account: FilledAccount | null) => (account?.application === "quill" ? "developer" : "standard");
const keptDays = (account: FilledAccount | null) => REQUESTS_KEPT_DAYS[planOf(account)];

function entryOf({ at, account, search = "", body, response, ...request }: PastRequest): RequestLogEntry {
  const isForm = request.path.startsWith("/oauth/");
  const type = isForm ? "application/x-www-form-urlencoded" : "application/json";
  const requestId = account ? `req_${orderedHex(at)}` : `${REQUEST_IDS}${randomUUID()}`;
  return {
    ...{ ...request, requestId, at: new Date(at), search },
    ...{
      applicationId: account?.applicationId ?? null,
      accountId: account?.id ?? null,
      plan: account && planOf(account),
    },
    ...{ isAuthenticated: account !== null, address: account ? addresses[account.application] : "198.51.100.23" },
    requestHeaders: new Headers({
      ...{ "user-agent": agents[account?.application ?? "quill"], accept: "application/json" },
      ...(!isForm && { authorization: "Bearer [redacted]" }),
      ...(body && { "content-type": type }),
    }),
    requestBody: body ? { value: body, bytes: JSON.stringify(body).length } : null,
    responseHeaders: new Headers({
      ...{ "svc-request-id": requestId, "cache-control": "no-store" },
      ...(response && { "content-type": "application/json; charset=utf-8" }),
      ...(request.status === 429 && { "retry-after": "1" }),
    }),
    responseBody: response ? { text: JSON.stringify(response) } : null,
  };
}

const addresses = {
  ...{ northwind: "192.0.2.18", lumen: "192.0.2.77", harbor: "192.0.2.140", quill: "192.0.2.201" },
} as const;
const agents = {
  ...{ northwind: "northwind-booking/5.12 (node)", lumen: "python-requests/2.32.3" },
  ...{ harbor: "harbor-rooms/2.4 (node)", quill: "curl/8.9.1" },
} as const;

/** Returns the requests that an application makes after it was notified of a change. */
export function readsAfter(deliveries: readonly PastDelivery[], { random }: Month): PastRequest[] {
  return deliveries.flatMap(({ type, state, finishedAt, changedAt, channel: { account } }): PastRequest[] => {
    if (type !== "change" || state !== "delivered" || finishedAt === null || changedAt === null) return [];
    const since = formatInstant(changedAt as Instant);
    const search = new URLSearchParams({ tzid: account.person.tzid, last_modified: since }).toString();
    const response = { pages: { current: 1, total: 1 }, events: [] };
    const at = finishedAt + random.between(40, 900);
    const read = { path: "/v1/events", search, status: 200, response, durationMs: random.between(30, 120) / 10 };
    return [{ at, account, method: "GET", ...read }];
  });
}
