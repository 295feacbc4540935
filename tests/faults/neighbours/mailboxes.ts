import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** How a mailbox's server treats whoever asks: properly, never at all, or with more than anybody can hold. */
export type MailboxBehaviour = "proper" | "hanging" | "enormous";

/** A CalDAV server with as many mailboxes as are named, each with one calendar; any password signs in. */
export interface Mailboxes {
  url: string;
  /** Puts an event into a mailbox's calendar, as another program of its owner does. */
  put(user: string, name: string, ics: string): void;
  /** What the mailbox's calendar holds, as iCalendar. */
  texts(user: string): string[];
  /** From now on. */
  treat(users: readonly string[], behaviour: MailboxBehaviour): void;
  close(): Promise<void>;
}

interface Mailbox {
  version: number;
  events: Map<string, { ics: string; version: number }>;
}

const NAMESPACES = `xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"`;
/** 48 MB of elements. */
const ENORMOUS = Buffer.from(
  `<?xml version="1.0"?><multistatus ${NAMESPACES}>${"<response><href>/x</href></response>".repeat(1_330_000)}</multistatus>`,
);

export async function startMailboxes(): Promise<Mailboxes> {
  const mailboxes = new Map<string, Mailbox>();
  const behaviours = new Map<string, MailboxBehaviour>();
  const mailboxOf = (user: string): Mailbox => {
    const found = mailboxes.get(user) ?? { version: 1, events: new Map() };
    mailboxes.set(user, found);
    return found;
  };
  const put = (user: string, name: string, ics: string) => {
    const mailbox = mailboxOf(user);
    mailbox.version += 1;
    mailbox.events.set(name, { ics, version: mailbox.version });
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const user = userOf(request);
    const behaviour = user ? (behaviours.get(user) ?? "proper") : "proper";
    if (behaviour === "hanging") return;
    if (!user) return void response.writeHead(401, { "www-authenticate": 'Basic realm="mail"' }).end();
    if (behaviour === "enormous") return give(response, ENORMOUS);
    respond({ request, response, user, mailbox: mailboxOf(user), body: Buffer.concat(chunks).toString(), put });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    put,
    texts: (user) => [...mailboxOf(user).events.values()].map(({ ics }) => ics),
    treat: (users, behaviour) => {
      for (const user of users) behaviours.set(user, behaviour);
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

interface MailboxRequest {
  request: IncomingMessage;
  response: ServerResponse;
  user: string;
  mailbox: Mailbox;
  body: string;
  put: Mailboxes["put"];
}

function respond({ request, response, user, mailbox, body, put }: MailboxRequest): void {
  const { method = "", url = "/", headers } = request;
  const calendar = `/${user}/calendar/`;
  const name = url.startsWith(calendar) ? url.slice(calendar.length) : "";
  if (method === "PUT") {
    put(user, name, body);
    response.writeHead(201, { etag: `"${mailbox.version}"` }).end();
  } else if (method === "GET" && mailbox.events.has(name)) {
    response.writeHead(200, { "content-type": "text/calendar" }).end(mailbox.events.get(name)?.ics);
  } else if (method === "REPORT" && body.includes("sync-collection")) {
    const since = Number(/<d:sync-token>(\d*)/.exec(body)?.[1] || 0);
    const changed = [...mailbox.events].filter(([, event]) => event.version > since);
    const entries = changed.map(([key, { version }]) => entry(calendar + key, etag(version)));
    give(response, multistatus(entries, `<sync-token>${mailbox.version}</sync-token>`));
  } else if (method === "REPORT") {
    const asked = [...body.matchAll(/<d:href>([^<]*)/g)].map(([, href = ""]) => href.slice(calendar.length));
    const entries = asked.flatMap((key) => {
      const event = mailbox.events.get(key);
      return event ? entry(calendar + key, etag(event.version) + data(event.ics)) : [];
    });
    give(response, multistatus(entries));
  } else if (method === "PROPFIND") {
    const home = url === calendar ? [] : [entry(url, person(user))];
    const isListed = url === calendar || headers.depth === "1";
    give(response, multistatus([...home, ...(isListed ? [entry(calendar, about(mailbox))] : [])]));
  } else {
    response.writeHead(404).end();
  }
}

function userOf({ headers }: IncomingMessage): string | null {
  const [, encoded] = /^Basic (.+)$/.exec(headers.authorization ?? "") ?? [];
  return encoded ? (Buffer.from(encoded, "base64").toString().split(":", 1)[0] ?? null) : null;
}

function give(response: ServerResponse, body: string | Buffer): void {
  response.writeHead(207, { "content-type": "application/xml; charset=utf-8" }).end(body);
}

const multistatus = (entries: readonly string[], more = "") =>
  `<?xml version="1.0"?><multistatus ${NAMESPACES}>${entries.join("")}${more}</multistatus>`;
const entry = (href: string, props: string) =>
  `<response><href>${href}</href><propstat><prop>${props}</prop><status>HTTP/1.1 200 OK</status></propstat></response>`;
const etag = (version: number) => `<getetag>"${version}"</getetag><getcontenttype>text/calendar</getcontenttype>`;
const data = (ics: string) =>
  `<C:calendar-data>${ics.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</C:calendar-data>`;
const person = (user: string) =>
  `<current-user-principal><href>/${user}/</href></current-user-principal><C:calendar-home-set><href>/${user}/</href></C:calendar-home-set>
<C:calendar-user-address-set><href>mailto:${user}@example.com</href></C:calendar-user-address-set><resourcetype><collection/></resourcetype>`;
const about = ({ version }: Mailbox) =>
  `<resourcetype><collection/><C:calendar/></resourcetype><displayname>Calendar</displayname><sync-token>${version}</sync-token>`;

/** One event as iCalendar, an hour long, some hours from now; `lines` are put into it as they are. */
export function eventText(
  uid: string,
  { lines = [], hours = 24 }: { lines?: readonly string[]; hours?: number } = {},
): string {
  const at = (ms: number) => new Date(ms).toISOString().replaceAll(/[-:]|\.\d{3}/g, "");
  const starts = Math.ceil(Date.now() / 3_600_000 + hours) * 3_600_000;
  return [
    ...["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//x//EN", "BEGIN:VEVENT", `UID:${uid}`, "DTSTAMP:20260101T000000Z"],
    ...[`DTSTART:${at(starts)}`, `DTEND:${at(starts + 3_600_000)}`, ...lines, "END:VEVENT", "END:VCALENDAR", ""],
  ].join("\r\n");
}
