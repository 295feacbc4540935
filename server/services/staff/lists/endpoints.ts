import { MAX_CALLBACK_URL } from "@/server/domain/text-limits";
import type { StaffList } from "@/server/services/staff/lists/list";

export const endpointStates = ["active", "failing", "paused", "closed"] as const;
export type EndpointState = (typeof endpointStates)[number];

/** What endpoints can be sorted by, the worst first. */
export const endpointSorts = ["success", "p95", "failures", "lastError"] as const;
export type EndpointSort = (typeof endpointSorts)[number];

/** A channel as staff see it: where its webhooks go, and with what result. Times are ISO, in UTC. */
export interface EndpointRow {
  id: string;
  /**
   * `failing`: its last three attempts failed, and its application is enabled. `paused`: staff hold its deliveries,
   * whatever the last results.
   */
  state: EndpointState;
  /** Host and path of the callback URL, without its query. */
  endpoint: string;
  applicationId: string;
  applicationName: string;
  accountId: string;
  /** The account's email, or for an application calendar the application's name for it. */
  accountName: string;
  createdAt: string;
  closedAt: string | null;
  /** `delete`, `staff`, `revoke` or `gone`: a receiver that responded with 410. */
  closedBy: string | null;
  pausedAt: string | null;
  /** When the first of the consecutive failed attempts began; null: it is not failing. */
  failingSince: string | null;
  /** Attempts begun in the last 24 hours. */
  attempts24h: number;
  /** The share of them that got a 2xx, from 0 to 1; null: there were none. */
  successRate24h: number | null;
  p50Ms: number | null;
  p95Ms: number | null;
  /** Attempts since the last one that got a 2xx, of any delivery. */
  consecutiveFailures: number;
  /** The last failed attempt; null: none failed. */
  lastFailure: { at: string; status: number | null; error: string | null } | null;
}

const SORTED = "up to 1,000 failing and the 1,000 newest others";

export const endpointList = {
  name: "endpoints",
  path: "/dashboard/endpoints",
  search: { name: "q", label: "Search endpoints", placeholder: "ID, callback URL or email" },
  filters: {
    state: { kind: "choices", values: endpointStates, chip: { label: "State" } },
    application: { kind: "id", chip: { label: "Application" } },
    account: {
      kind: "id",
      about: "An ID, or a full email.",
      chip: { label: "Account", placeholder: "acc_… or anna@acme.com", hint: "Full ID or email." },
    },
    q: {
      kind: "text",
      max: MAX_CALLBACK_URL,
      about: "Search: a full ID, or the start of a callback URL, a path, a domain or an email.",
    },
  },
  sorts: {
    failing: { label: "Failing first", about: "then the others, newest first", direction: "other" },
    success: { label: "Lowest success rate first", about: SORTED, direction: "ascending" },
    p95: { label: "Slowest first", about: SORTED, direction: "descending" },
    failures: { label: "Most consecutive failures first", about: SORTED, direction: "descending" },
    lastError: { label: "Latest error first", about: SORTED, direction: "descending" },
  },
} as const satisfies StaffList<EndpointRow>;
