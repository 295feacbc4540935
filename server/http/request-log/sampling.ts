import { addressKey } from "@/server/domain/net/ranges";
import { isInShare, SLOW_READ_MS } from "@/server/domain/read-share";
import { bucket } from "@/server/http/rate-limit/buckets";
import { memoryStore } from "@/server/http/rate-limit/memory";
import type { RequestLogEntry } from "@/server/http/request-log/entry";

const MOST_ADDRESSES = 10_000;
/** Requests that nobody proved to be theirs, from one address (IPv6: from one /64). */
const ADDRESS = bucket("logged-address", { burst: 100, perSecond: 10 });
/** The same from all addresses together. */
const STRANGERS = bucket("logged-strangers", { burst: 500, perSecond: 25 });
/** Of one application, what was refused because of its rate limit: all that is within it is stored. */
const THROTTLED = bucket("logged-throttled", { burst: 500, perSecond: 50 });

const THROTTLED_STATUS = 429;

type Requested = Pick<
  RequestLogEntry,
  "method" | "status" | "durationMs" | "isAuthenticated" | "applicationId" | "address"
>;

/**
 * Chooses which requests get a row, by the id that it would have: those that can be had without limit get some a second, successful reads
 * a share of theirs, and the rest are counted. `monotonic` gives milliseconds.
 */
export function sampling(monotonic: () => number, readShare: number): (entry: Requested, id: string) => boolean {
  const store = memoryStore(monotonic, MOST_ADDRESSES);
  return ({ method, status, durationMs, isAuthenticated, applicationId, address }, id) => {
    if (!isAuthenticated) {
      const key = addressKey(address ?? "");
      return store.run("take", [
        { bucket: ADDRESS, tag: key, key },
        { bucket: STRANGERS, tag: key, key: "" },
      ]).allowed;
    }
    if (method === "GET" && status < 400 && durationMs <= SLOW_READ_MS) return isInShare(id, readShare);
    if (status !== THROTTLED_STATUS) return true;
    const key = applicationId ?? "";
    return store.run("take", [{ bucket: THROTTLED, tag: key, key }]).allowed;
  };
}
