import sax from "sax";
import { slices } from "@/server/event-loop";

/** An element with its full name: `DAV:getetag` is the namespace `DAV:` and the local name after it, with a space between. */
export interface Element {
  name: string;
  /** The text that stands in it directly. */
  text: string;
  attributes: Record<string, string>;
  children: Element[];
}

/** The text is not well-formed XML, or ends too early. */
export class XmlFault extends Error {
  override name = "XmlFault";
}

/** How many characters are parsed before other work may run. */
const PIECE = 8 * 1024;
const DEEPEST = 64;
/** The limit of a document, and of what is held of it at a time. */
const MOST_ELEMENTS = 300_000;
const MOST_HELD = 10_000;
const MOST_ATTRIBUTES = 100;
/** The limit of characters in one element: more than a readable resource may have. Longer ones are shortened each time they have grown so much. */
const LONGEST_TEXT = 2 * 1024 * 1024;
const SHORTENED_AT = 512 * 1024;

/** Names of DAV (RFC 4918), CalDAV (RFC 4791) and Apple's calendar server. */
export const dav = (local: string) => `DAV: ${local}`;
export const cal = (local: string) => `urn:ietf:params:xml:ns:caldav ${local}`;
export const cs = (local: string) => `http://calendarserver.org/ns/ ${local}`;

/** Gives the root of a document. Long ones are read in pieces between which other work runs. Throws XmlFault. */
export async function parseXml(text: string): Promise<Element> {
  const reading = xmlReader();
  await reading.take(text);
  return reading.end();
}

export interface XmlReader {
  take(text: string): Promise<void>;
  /** The root, without the children that were taken out. */
  end(): Element;
}

/**
 * Reads a document while it arrives. Any error in a text is an XmlFault, which `take` and `end` throw.
 * @param takeChild called with each child of the root when it ends. True takes it out, so that the document need not be held
 * @param shortened called with an element whose text has become long. What it returns is kept of the text
 */
export function xmlReader(
  takeChild: (child: Element, root: Element) => boolean = () => false,
  shortened: (element: Element) => string = ({ text }) => text,
): XmlReader {
  const { write, end } = begin(takeChild, shortened);
  const pause = slices();
  return {
    async take(text) {
      for (let at = 0; at < text.length; at += PIECE) {
        ofText(() => write(text.slice(at, at + PIECE)));
        await pause();
      }
    },
    end: () => ofText(end),
  };
}

/** Treats the parser's own errors on unusual input as errors of the text. */
function ofText<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof XmlFault) throw error;
    throw new XmlFault("not readable");
  }
}

export function child({ children }: Element, name: string): Element | undefined {
  return children.find((one) => one.name === name);
}

export function childrenOf({ children }: Element, name: string): Element[] {
  return children.filter((one) => one.name === name);
}

export function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

interface Open {
  element: Element;
  namespaces: Record<string, string>;
  shortenAt: number;
}

function begin(takeChild: (child: Element, root: Element) => boolean, shortened: (element: Element) => string) {
  const parser = sax.parser(true, { position: false });
  const open: Open[] = [];
  let root: Element | null = null;
  let [elements, held, attributesOfTag] = [0, 0, 0];
  const addText = (text: string) => {
    const inner = open.at(-1);
    if (!inner) return;
    const { element } = inner;
    element.text += text;
    if (element.text.length > inner.shortenAt) {
      element.text = shortened(element);
      inner.shortenAt = element.text.length + SHORTENED_AT;
    }
    if (element.text.length > LONGEST_TEXT) fail("a text that is too long");
  };
  parser.onerror = () => fail("not well-formed");
  parser.ontext = addText;
  parser.oncdata = addText;
  parser.onopentagstart = (tag) => {
    elements += 1;
    held += 1;
    attributesOfTag = 0;
    if (open.length >= DEEPEST) fail("too deep");
    if (elements > MOST_ELEMENTS || held > MOST_HELD) fail("too many elements");
    tag.attributes = Object.create(null, ownProperty);
  };
  parser.onattribute = () => {
    attributesOfTag += 1;
    if (attributesOfTag > MOST_ATTRIBUTES) fail("too many attributes");
  };
  parser.onopentag = ({ name, attributes }) => {
    const outer = open.at(-1);
    if (!outer && root) fail("two roots");
    const namespaces = namespacesOf(attributes, outer?.namespaces ?? Object.create(null));
    const element = { name: fullName(name, namespaces), text: "", attributes, children: [] };
    if (outer) outer.element.children.push(element);
    else root = element;
    open.push({ element, namespaces, shortenAt: SHORTENED_AT });
  };
  parser.onclosetag = () => {
    const closed = open.pop()?.element;
    const [outer] = open;
    if (open.length !== 1 || !outer || !closed || !takeChild(closed, outer.element)) return;
    outer.element.children.pop();
    held = outer.element.children.length + 1;
  };
  return {
    write: (piece: string) => void parser.write(piece),
    end: (): Element => {
      parser.close();
      return root ?? fail("empty");
    },
  };
}

/** The parser calls `hasOwnProperty` on its attributes. Defining it makes the parser skip an attribute of that name as a duplicate. */
const ownProperty = { hasOwnProperty: { value: Object.prototype.hasOwnProperty } };

function fail(reason: string): never {
  throw new XmlFault(reason);
}

function namespacesOf(attributes: Record<string, string>, outer: Record<string, string>): Record<string, string> {
  let namespaces = outer;
  for (const [name, value] of Object.entries(attributes)) {
    if (name !== "xmlns" && !name.startsWith("xmlns:")) continue;
    if (namespaces === outer) namespaces = Object.create(outer);
    namespaces[name.slice("xmlns:".length)] = value;
  }
  return namespaces;
}

function fullName(name: string, namespaces: Record<string, string>): string {
  const colon = name.indexOf(":");
  const prefix = colon < 0 ? "" : name.slice(0, colon);
  return `${namespaces[prefix] ?? ""} ${name.slice(colon + 1)}`;
}
