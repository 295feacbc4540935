import sax from "sax";

/** An element with its name in full: `DAV:getetag` is the namespace `DAV:` and the local name after it, with a space between. */
export interface Element {
  name: string;
  /** The text that stands in it directly. */
  text: string;
  attributes: Record<string, string>;
  children: Element[];
}

/** What is not well-formed XML, or ends too early. */
export class XmlFault extends Error {
  override name = "XmlFault";
}

const PIECE = 64 * 1024;
const DEEPEST = 64;

/** Names of DAV (RFC 4918), CalDAV (RFC 4791) and Apple's calendar server. */
export const dav = (local: string) => `DAV: ${local}`;
export const cal = (local: string) => `urn:ietf:params:xml:ns:caldav ${local}`;
export const cs = (local: string) => `http://calendarserver.org/ns/ ${local}`;

/** The root of a document. Long ones are read in pieces between which other work goes on. Throws XmlFault. */
export async function parseXml(text: string): Promise<Element> {
  const reading = begin();
  for (let at = 0; at < text.length; at += PIECE) {
    if (at > 0) await new Promise((resume) => setImmediate(resume));
    reading.take(text.slice(at, at + PIECE));
  }
  return reading.end();
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
}

function begin() {
  const parser = sax.parser(true, { position: false });
  const open: Open[] = [];
  let root: Element | null = null;
  const addText = (text: string) => {
    const last = open.at(-1);
    if (last) last.element.text += text;
  };
  parser.onerror = () => fail("not well-formed");
  parser.ontext = addText;
  parser.oncdata = addText;
  parser.onopentag = ({ name, attributes }) => {
    const outer = open.at(-1);
    if (open.length >= DEEPEST) fail("too deep");
    if (!outer && root) fail("two roots");
    const namespaces = namespacesOf(attributes, outer?.namespaces ?? {});
    const element = { name: fullName(name, namespaces), text: "", attributes, children: [] };
    if (outer) outer.element.children.push(element);
    else root = element;
    open.push({ element, namespaces });
  };
  parser.onclosetag = () => void open.pop();
  return {
    take: (piece: string) => void parser.write(piece),
    end: (): Element => {
      parser.close();
      return root ?? fail("empty");
    },
  };
}

function fail(reason: string): never {
  throw new XmlFault(reason);
}

function namespacesOf(attributes: Record<string, string>, outer: Record<string, string>): Record<string, string> {
  const own = Object.entries(attributes).filter(([name]) => name === "xmlns" || name.startsWith("xmlns:"));
  if (own.length === 0) return outer;
  return { ...outer, ...Object.fromEntries(own.map(([name, value]) => [name.slice("xmlns:".length), value])) };
}

function fullName(name: string, namespaces: Record<string, string>): string {
  const colon = name.indexOf(":");
  const prefix = colon < 0 ? "" : name.slice(0, colon);
  return `${namespaces[prefix] ?? ""} ${name.slice(colon + 1)}`;
}
