import { parsedUrl } from "@/server/domain/net/parsed-url";
import { type Answered, down } from "@/server/providers/caldav/ask";
import { child, childrenOf, dav, type Element, parseXml, XmlFault } from "@/server/providers/caldav/xml";

/** What an answer says of one resource. */
export interface Entry {
  /** Its path, or its whole address when it is at another host than the answer's. */
  externalId: string;
  /** Of the resource as a whole; null: properties follow. */
  status: number | null;
  /** The properties that it has, by full name. */
  props: ReadonlyMap<string, Element>;
}

export interface Multistatus {
  entries: Entry[];
  syncToken: string | null;
}

const MULTI_STATUS = 207;
const LONGEST_NAME = 60;

/** Reads a 207 (RFC 4918 §13, RFC 6578 §6.4); null for anything else, and for one that is broken. */
export async function readMultistatus({ status, text, url }: Answered): Promise<Multistatus | null> {
  const root = status === MULTI_STATUS ? await parsed(text) : null;
  if (root?.name !== dav("multistatus")) return null;
  const token = child(root, dav("sync-token"))?.text.trim();
  return {
    entries: childrenOf(root, dav("response")).flatMap((response) => entriesOf(response, url)),
    syncToken: token || null,
  };
}

/** The same, where there must be one: throws `down`. */
export async function needMultistatus(answer: Answered): Promise<Multistatus> {
  const read = await readMultistatus(answer);
  if (!read) throw down("not_a_multistatus");
  return read;
}

/** The name of the precondition that an answer says was not met (RFC 4918 §16), such as `no-uid-conflict`; null: it names none. */
export async function preconditionOf({ text }: Answered): Promise<string | null> {
  const root = await parsed(text);
  const [, name = ""] = (root && firstError(root)?.children[0])?.name.split(" ") ?? [];
  return name.length <= LONGEST_NAME && /^[a-z][a-z-]*$/i.test(name) ? name : null;
}

/** One spelling for one resource, however its name is escaped. */
export function externalIdOf(href: string, base: string): string | null {
  const url = parsedUrl(href.trim(), base);
  if (!url) return null;
  const { origin, pathname } = url;
  const path = pathname.split("/").map(respelled).join("/");
  return origin === new URL(base).origin ? path : origin + path;
}

/** A segment of a path as people read it; null when its bytes are not UTF-8. */
export function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

async function parsed(text: string): Promise<Element | null> {
  try {
    return await parseXml(text);
  } catch (error) {
    if (error instanceof XmlFault) return null;
    throw error;
  }
}

function entriesOf(response: Element, base: string): Entry[] {
  const status = statusOf(response);
  const props = new Map(
    childrenOf(response, dav("propstat"))
      .filter((propstat) => Math.floor((statusOf(propstat) ?? 0) / 100) === 2)
      .flatMap((propstat) => child(propstat, dav("prop"))?.children ?? [])
      .map((prop) => [prop.name, prop]),
  );
  return childrenOf(response, dav("href")).flatMap(({ text }) => {
    const externalId = externalIdOf(text, base);
    return externalId === null ? [] : [{ externalId, status, props }];
  });
}

function statusOf(element: Element): number | null {
  const [, code] = /^\s*HTTP\/\S+\s+(\d{3})/.exec(child(element, dav("status"))?.text ?? "") ?? [];
  return code === undefined ? null : Number(code);
}

/** Xandikos wraps it into a multistatus. */
function firstError(element: Element): Element | undefined {
  if (element.name === dav("error")) return element;
  for (const inner of element.children) {
    const found = firstError(inner);
    if (found) return found;
  }
  return undefined;
}

function respelled(segment: string): string {
  const plain = decoded(segment);
  return plain === null ? segment : encodeURIComponent(plain);
}
