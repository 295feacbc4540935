import { createHash } from "node:crypto";
import type { Login } from "../dav-server";
import { type FrontRequest, type FrontResponse, startFront } from "../forward";
import { basicAlone, type SignIn, type SignInCheck, signInCheck } from "./sign-in";

export interface SmallDavOptions {
  signIn: SignIn;
  /** What its links begin with, such as the address behind a proxy. Null: they are paths. */
  linkOrigin: string | null;
  /** Homes of the user's calendars; the second is that of shared ones. */
  homes: readonly string[];
  /** `hash`: a sync token says what is in the calendar, and not when. */
  tokens: "hash" | "counted" | "none";
  /** Whether it says that it invites guests (RFC 6638). */
  schedules: boolean;
  /** The methods whose responses say what the server can do. Null: all. */
  davHeaderOf: readonly string[] | null;
  /** There is an outbox for invitations beside the calendars. */
  hasOutbox: boolean;
  /** Refuses events that end when they start: all of them, as Cyrus does, or those that have an end. */
  refusesNoLength: "all" | "with DTEND" | null;
  /** What is answered instead; undefined: what it would answer. */
  instead(asked: FrontRequest): FrontResponse | undefined;
}

export interface SmallDav extends Login {
  /** Where discovery begins. */
  url: string;
  options: SmallDavOptions;
  check: SignInCheck;
  /** The requests, in their order. */
  asked: FrontRequest[];
  /** The texts of a calendar's resources by their names. */
  calendar(name: string, home?: number): Map<string, string>;
  /** Somebody else stores a resource, or deletes it. */
  put(calendar: string, name: string, ics: string): void;
  remove(calendar: string, name: string): void;
  close(): Promise<void>;
}

interface Stored {
  path: string;
  resources: Map<string, string>;
  /** The names that changed, in the order of their changes. */
  log: string[];
}

const PRINCIPAL = "/principals/anna/";
const NS = 'xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"';

/** A CalDAV server of one user in memory, whose ways are as `options` says at the moment. */
export async function startSmallDav(given: Partial<SmallDavOptions> = {}): Promise<SmallDav> {
  const options: SmallDavOptions = {
    ...{ signIn: basicAlone, linkOrigin: null, homes: ["/calendars/anna/"], tokens: "counted" as const },
    ...{
      schedules: false,
      davHeaderOf: null,
      hasOutbox: false,
      refusesNoLength: null,
      instead: () => undefined,
      ...given,
    },
  };
  const login: Login = { user: "anna@example.com", password: "abcd-efgh-ijkl-mnop" };
  const calendars = new Map<string, Stored>();
  const calendar = (name: string, home = 0): Stored => {
    const path = `${options.homes[home]}${name}/`;
    const found = calendars.get(path) ?? { path, resources: new Map(), log: [] };
    calendars.set(path, found);
    return found;
  };
  const asked: FrontRequest[] = [];
  const check = signInCheck(login, options.signIn);
  const front = await startFront(
    () => 0,
    async (one) => {
      asked.push(one);
      const instead = options.instead(one);
      if (instead) return instead;
      const challenge = check.challenge(one);
      if (challenge) return { status: 401, headers: { "www-authenticate": challenge }, body: Buffer.alloc(0) };
      const response = answer(one, options, calendars);
      const says = options.davHeaderOf?.includes(one.method) ?? true;
      const dav = says ? { dav: davHeader(options) } : {};
      return { ...response, headers: { ...dav, ...response.headers, ...check.info() } };
    },
  );
  return Object.assign(login, {
    url: `http://127.0.0.1:${front.port}/`,
    options,
    check,
    asked,
    calendar: (name: string, home = 0) => calendar(name, home).resources,
    put: (name: string, resource: string, ics: string) => change(calendar(name), resource, whole(ics)),
    remove: (name: string, resource: string) => change(calendar(name), resource, null),
    close: front.close,
  });
}

function davHeader({ schedules }: SmallDavOptions): string {
  return ["1, 2, 3, calendar-access", ...(schedules ? ["calendar-auto-schedule"] : [])].join(", ");
}

function change(stored: Stored, name: string, ics: string | null): void {
  if (ics === null) stored.resources.delete(name);
  else stored.resources.set(name, ics);
  stored.log.push(name);
}

function whole(ics: string): string {
  const text = ics.startsWith("BEGIN:VCALENDAR")
    ? ics
    : ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Other//EN", ics, "END:VCALENDAR"].join("\n");
  return `${text.trim().split(/\r?\n/).join("\r\n")}\r\n`;
}

function answer(one: FrontRequest, options: SmallDavOptions, calendars: ReadonlyMap<string, Stored>): FrontResponse {
  const path = decodeURIComponent(new URL(one.path, "http://small").pathname);
  const found = [...calendars.values()].find((stored) => path.startsWith(stored.path));
  const name = found && path.slice(found.path.length);
  if (one.method === "OPTIONS") return says(200);
  if (one.method === "PROPFIND" && (!found || name === "")) return listing(one, { path, found, options, calendars });
  if (!found || name === undefined) return says(404);
  if (one.method === "REPORT") return report(one, found, options);
  return resource(one, { stored: found, name, options });
}

interface Listing {
  path: string;
  found: Stored | undefined;
  options: SmallDavOptions;
  calendars: ReadonlyMap<string, Stored>;
}

function listing(one: FrontRequest, { path, found, options, calendars }: Listing): FrontResponse {
  const depth = String(one.headers.depth ?? "0");
  if (found) {
    const members = depth === "0" ? [] : [...found.resources].map(([name, ics]) => ofResource(found.path + name, ics));
    return multistatus([ofCalendar(found, options), ...members], options);
  }
  if (options.homes.includes(path)) {
    const own = depth === "0" ? [] : [...calendars.values()].filter((stored) => stored.path.startsWith(path));
    const home: Response = { path, props: "<d:resourcetype><d:collection/></d:resourcetype>" };
    const outbox: Response = {
      path: `${path}outbox/`,
      props: "<d:resourcetype><d:collection/><c:schedule-outbox/></d:resourcetype>",
    };
    return multistatus(
      [home, ...(options.hasOutbox ? [outbox] : []), ...own.map((stored) => ofCalendar(stored, options))],
      options,
    );
  }
  const href = (to: string) => `<d:href>${(options.linkOrigin ?? "") + to}</d:href>`;
  const props = [
    `<d:current-user-principal>${href(PRINCIPAL)}</d:current-user-principal><d:displayname>Anna</d:displayname>`,
    `<c:calendar-home-set>${options.homes.map(href).join("")}</c:calendar-home-set>`,
    "<c:calendar-user-address-set><d:href>mailto:anna@example.com</d:href></c:calendar-user-address-set>",
    options.schedules ? `<c:schedule-outbox-URL>${href("/outbox/")}</c:schedule-outbox-URL>` : "",
  ];
  return path === "/" || path === PRINCIPAL ? multistatus([{ path, props: props.join("") }], options) : says(404);
}

function report(one: FrontRequest, stored: Stored, options: SmallDavOptions): FrontResponse {
  const body = one.body.toString();
  if (!body.includes("sync-collection")) {
    const hrefs = [...body.matchAll(/<\w+:href>([^<]*)<\/\w+:href>/g)].map(([, href = ""]) => href);
    return multistatus(
      hrefs.map((href) => {
        const path = decodeURIComponent(new URL(href, "http://small").pathname);
        const ics = stored.resources.get(path.slice(stored.path.length));
        return ics === undefined ? { path, props: null } : ofResource(path, ics, true);
      }),
      options,
    );
  }
  const [, token = ""] = /<\w+:sync-token>([^<]*)<\/\w+:sync-token>/.exec(body) ?? [];
  if (options.tokens === "none") return says(415);
  const names = changedSince(stored, token, options);
  if (!names) return says(403, "<d:error xmlns:d='DAV:'><d:valid-sync-token/></d:error>");
  const all = names.map((name): Response => {
    const ics = stored.resources.get(name);
    return ics === undefined ? { path: stored.path + name, props: null } : ofResource(stored.path + name, ics);
  });
  return multistatus(all, options, `<d:sync-token>${tokenOf(stored, options)}</d:sync-token>`);
}

/** The contents that had a token, of a server whose tokens are hashes of them. */
const contents = new Map<string, Map<string, string>>();

function changedSince(stored: Stored, token: string, { tokens }: SmallDavOptions): string[] | null {
  if (token === "") return [...stored.resources.keys()];
  if (tokens === "counted") {
    const from = Number(/^t-(\d+)$/.exec(token)?.[1] ?? Number.NaN);
    return from <= stored.log.length ? [...new Set(stored.log.slice(from))] : null;
  }
  const before = contents.get(token);
  const names = new Set([...(before?.keys() ?? []), ...stored.resources.keys()]);
  return before ? [...names].filter((name) => before.get(name) !== stored.resources.get(name)) : null;
}

function tokenOf(stored: Stored, { tokens }: SmallDavOptions): string {
  if (tokens === "counted") return `t-${stored.log.length}`;
  const text = JSON.stringify([stored.path, ...[...stored.resources].sort()]);
  const token = `h-${createHash("sha256").update(text).digest("hex")}`;
  contents.set(token, new Map(stored.resources));
  return token;
}

interface ToAnswer {
  stored: Stored;
  name: string;
  options: SmallDavOptions;
}

function resource({ method, headers, body }: FrontRequest, { stored, name, options }: ToAnswer): FrontResponse {
  const existing = stored.resources.get(name);
  const isStale = headers["if-match"] !== undefined && headers["if-match"] !== (existing && etag(existing));
  if (isStale || (headers["if-none-match"] === "*" && existing !== undefined)) return says(412);
  if (method === "PROPFIND")
    return existing === undefined ? says(404) : multistatus([ofResource(stored.path + name, existing)], options);
  if (method === "GET") return existing === undefined ? says(404) : says(200, existing, { etag: etag(existing) });
  if (method === "DELETE") {
    if (existing === undefined) return says(404);
    change(stored, name, null);
    return says(204);
  }
  if (method !== "PUT") return says(405);
  const ics = body.toString();
  if (options.refusesNoLength && hasNoLength(ics, options.refusesNoLength)) {
    return says(403, `<d:error ${NS}><c:valid-calendar-data/></d:error>`);
  }
  change(stored, name, ics);
  return says(existing === undefined ? 201 : 204, "", { etag: etag(ics) });
}

function hasNoLength(ics: string, which: "all" | "with DTEND"): boolean {
  const events = ics.match(/BEGIN:VEVENT[\s\S]*?END:VEVENT/g) ?? [];
  return events.some((event) => {
    const [start, end] = ["DTSTART", "DTEND"].map((name) => new RegExp(`^${name}[^:]*:(.*)$`, "m").exec(event)?.[1]);
    const ends = end ?? (which === "all" && !/^DURATION/m.test(event) ? start : undefined);
    return start !== undefined && start.trim() === ends?.trim();
  });
}

interface Response {
  path: string;
  /** Null: there is no such resource. */
  props: string | null;
}

function ofCalendar(stored: Stored, options: SmallDavOptions): Response {
  const name = stored.path.split("/").at(-2) ?? "";
  const token = options.tokens === "none" ? "" : `<d:sync-token>${tokenOf(stored, options)}</d:sync-token>`;
  const type = "<d:resourcetype><d:collection/><c:calendar/></d:resourcetype>";
  return { path: stored.path, props: `${type}<d:displayname>${name}</d:displayname>${token}` };
}

function ofResource(path: string, ics: string, hasText = false): Response {
  const data = hasText ? `<c:calendar-data>${escaped(ics)}</c:calendar-data>` : "";
  return {
    path,
    props: `<d:getetag>${escaped(etag(ics))}</d:getetag><d:getcontenttype>text/calendar</d:getcontenttype>${data}`,
  };
}

function multistatus(all: readonly Response[], { linkOrigin }: SmallDavOptions, more = ""): FrontResponse {
  const responses = all.map(({ path, props }) => {
    const href = `<d:href>${linkOrigin ?? ""}${path.split("/").map(encodeURIComponent).join("/")}</d:href>`;
    if (props === null) return `<d:response>${href}<d:status>HTTP/1.1 404 Not Found</d:status></d:response>`;
    const propstat = `<d:propstat><d:prop>${props}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>`;
    return `<d:response>${href}${propstat}</d:response>`;
  });
  return says(207, `<?xml version="1.0"?><d:multistatus ${NS}>${responses.join("")}${more}</d:multistatus>`);
}

function says(status: number, text = "", headers: FrontResponse["headers"] = {}): FrontResponse {
  return { status, headers, body: Buffer.from(text) };
}

function etag(ics: string): string {
  return `"${createHash("sha256").update(ics).digest("hex").slice(0, 16)}"`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
