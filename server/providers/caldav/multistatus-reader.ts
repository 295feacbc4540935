import { parsedUrl } from "@/server/domain/net/parsed-url";
import { percentDecoded } from "@/server/domain/text";
import { decodedPieces } from "@/server/providers/caldav/decoded-pieces";
import { withoutUnread } from "@/server/providers/caldav/icalendar/lenient/framings";
import { largeDocument } from "@/server/providers/caldav/large-document";
import { cal, child, childrenOf, dav, type Element, XmlFault, xmlReader } from "@/server/providers/caldav/xml";

/** The response for one resource. */
export interface Entry {
  /** Its path, or its absolute address when it is on another host than the multistatus. */
  externalId: string;
  /** The status of the resource as a whole. Null: properties follow. */
  status: number | null;
  /** The properties that it has, by full name. */
  props: ReadonlyMap<string, Element>;
}

export interface Multistatus {
  entries: Entry[];
  syncToken: string | null;
}

export interface MultistatusReader {
  /** Rejects when the reader wants no more of the document. */
  take(piece: Uint8Array): Promise<void>;
  /** Null for a document that is none, or is broken. */
  end(): Promise<Multistatus | null>;
}

/**
 * Sizes in characters, including the overhead of entries and elements. At most one document larger than LARGE is held at a time, and
 * none larger than MOST_KEPT.
 */
const LARGE = 1024 * 1024;
const MOST_KEPT = 8 * LARGE;
const OF_ENTRY = 120;
const OF_ELEMENT = 100;

/** The address that a link means. Null: none. */
export type LinkReader = (href: string) => URL | null;

/**
 * Reads a multistatus (RFC 4918 §13, RFC 6578 §6.4) while it arrives, and keeps only what was requested.
 * @param base the address of the response
 * @param wanted the names of properties. Null: all
 */
export function multistatusReader(
  base: string,
  wanted: readonly string[] | null,
  link = linkFrom(base),
): MultistatusReader {
  const entries: Entry[] = [];
  const utf8 = decodedPieces();
  let kept = 0;
  let leave: (() => void) | null = null;
  let isBroken = false;
  let last: Promise<void> = Promise.resolve();
  const xml = xmlReader((response, root) => {
    if (root.name !== dav("multistatus") || response.name !== dav("response")) return false;
    for (const entry of entriesOf(response, { base, wanted, link })) {
      kept += weightOf(entry);
      if (kept > MOST_KEPT) throw new XmlFault("too much to be kept");
      entries.push(entry);
    }
    return true;
  }, shortened);
  const take = async (piece: Uint8Array) => {
    await xml.take(utf8.take(piece));
    if (kept > LARGE) leave ??= await largeDocument();
  };
  return {
    take(piece) {
      last = take(piece).catch((error) => {
        isBroken = true;
        throw error;
      });
      return last;
    },
    async end() {
      try {
        await last;
        if (!isBroken) await xml.take(utf8.end());
        const root = isBroken ? null : xml.end();
        if (root?.name !== dav("multistatus")) return null;
        return { entries, syncToken: child(root, dav("sync-token"))?.text.trim() || null };
      } catch (error) {
        if (error instanceof XmlFault) return null;
        throw error;
      } finally {
        leave?.();
      }
    },
  };
}

/** Removes the parts of an event that are not read, so that they aren't kept. */
function shortened({ name, text }: Element): string {
  return name === cal("calendar-data") ? withoutUnread(text) : text;
}

function linkFrom(base: string): LinkReader {
  return (href) => parsedUrl(href.trim(), base);
}

/** Spells the name of a resource in one way, however it is escaped. */
export function externalIdOf(href: string, base: string, link = linkFrom(base)): string | null {
  const url = href.length > LONGEST_HREF ? null : link(href);
  if (!url) return null;
  const { origin, pathname } = url;
  const path = pathname.split("/").map(respelled).join("/");
  return origin === new URL(base).origin ? path : origin + path;
}

const LONGEST_HREF = 8_192;
const none: ReadonlyMap<string, Element> = new Map();

interface ToRead {
  base: string;
  wanted: readonly string[] | null;
  link: LinkReader;
}

function entriesOf(response: Element, { base, wanted, link }: ToRead): Entry[] {
  const status = statusOf(response);
  const found = childrenOf(response, dav("propstat"))
    .filter((propstat) => Math.floor((statusOf(propstat) ?? 0) / 100) === 2)
    .flatMap((propstat) => child(propstat, dav("prop"))?.children ?? [])
    .filter(({ name }) => wanted === null || wanted.includes(name));
  const props = found.length === 0 ? none : new Map(found.map((prop) => [prop.name, prop]));
  return childrenOf(response, dav("href")).flatMap(({ text }) => {
    const externalId = externalIdOf(text, base, link);
    return externalId === null ? [] : [{ externalId, status, props }];
  });
}

function weightOf({ externalId, props }: Entry): number {
  let weight = OF_ENTRY + externalId.length;
  for (const prop of props.values()) weight += weightOfElement(prop);
  return weight;
}

function weightOfElement({ text, children }: Element): number {
  return children.reduce((sum, one) => sum + weightOfElement(one), OF_ELEMENT + text.length);
}

function statusOf(element: Element): number | null {
  const [, code] = /^\s*HTTP\/\S+\s+(\d{3})/.exec(child(element, dav("status"))?.text.slice(0, 200) ?? "") ?? [];
  return code === undefined ? null : Number(code);
}

function respelled(segment: string): string {
  const plain = percentDecoded(segment);
  return plain === null ? segment : encodeURIComponent(plain);
}
