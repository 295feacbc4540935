import { basic } from "@/server/domain/recurrence/rfc5545/write-date-value";
import type { Window } from "@/server/domain/window";
import type { CaldavRequest } from "@/server/providers/caldav/ask";
import { cal, cs, dav, escapeXml } from "@/server/providers/caldav/xml";

const prefixes = new Map([
  [dav(""), "d"],
  [cal(""), "c"],
  [cs(""), "s"],
]);

/** Requests properties of a resource (Depth 0) or of it and its members (1). RFC 4918 §9.1. */
export function propfind(url: string, depth: "0" | "1", props: readonly string[]): CaldavRequest {
  return xml({ method: "PROPFIND", url, depth, props, body: element("d:propfind", propsOf(props)) });
}

/** Requests the changes since a sync token was issued, one level deep. RFC 6578 §3.2. */
export function syncCollection(url: string, token: string, props: readonly string[]): CaldavRequest {
  const body = `<d:sync-token>${escapeXml(token)}</d:sync-token><d:sync-level>1</d:sync-level>${propsOf(props)}`;
  return xml({ method: "REPORT", url, depth: "0", props, body: element("d:sync-collection", body) });
}

/** Requests resources of a calendar by their paths (RFC 4791 §7.9). */
export function multiget(url: string, paths: readonly string[], props: readonly string[]): CaldavRequest {
  const hrefs = paths.map((path) => `<d:href>${escapeXml(path)}</d:href>`).join("");
  return xml({
    method: "REPORT",
    url,
    depth: "1",
    props,
    body: element("c:calendar-multiget", propsOf(props) + hrefs),
  });
}

/** Requests the events of a calendar that overlap a window (RFC 4791 §7.8, §9.9). */
export function calendarQuery(url: string, { from, to }: Window, props: readonly string[]): CaldavRequest {
  const range = `<c:time-range start="${basic(from)}" end="${basic(to)}"/>`;
  const events = `<c:comp-filter name="VEVENT">${range}</c:comp-filter>`;
  const filter = `<c:filter><c:comp-filter name="VCALENDAR">${events}</c:comp-filter></c:filter>`;
  return xml({
    method: "REPORT",
    url,
    depth: "1",
    props,
    body: element("c:calendar-query", propsOf(props) + filter),
  });
}

function xml({
  depth,
  ...request
}: Pick<CaldavRequest, "method" | "url" | "body" | "props"> & { depth: string }): CaldavRequest {
  return { ...request, headers: { depth, "content-type": "application/xml; charset=utf-8" } };
}

function element(name: string, inner: string): string {
  const namespaces = [...prefixes].map(([uri, prefix]) => `xmlns:${prefix}="${uri.trim()}"`).join(" ");
  return `<?xml version="1.0" encoding="utf-8"?><${name} ${namespaces}>${inner}</${name}>`;
}

function propsOf(names: readonly string[]): string {
  const props = names.map((name) => {
    const [uri = "", local = ""] = name.split(" ");
    return `<${prefixes.get(`${uri} `)}:${local}/>`;
  });
  return `<d:prop>${props.join("")}</d:prop>`;
}
