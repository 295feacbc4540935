import { type CaldavResponse, down } from "@/server/providers/caldav/ask";
import { type Multistatus, multistatusReader } from "@/server/providers/caldav/multistatus-reader";
import { dav, type Element, parseXml, XmlFault } from "@/server/providers/caldav/xml";

const MULTI_STATUS = 207;
const LONGEST_NAME = 60;

/** Gives the multistatus of a 207 (RFC 4918 §13, RFC 6578 §6.4). Null for anything else, and for a broken one. */
export async function readMultistatus({ status, text, url, multistatus }: CaldavResponse): Promise<Multistatus | null> {
  if (status !== MULTI_STATUS) return null;
  if (multistatus !== undefined) return multistatus;
  const reader = multistatusReader(url, null);
  // Errors in it surface at its end.
  await reader.take(Buffer.from(text)).catch(() => undefined);
  return reader.end();
}

/** Reads a multistatus like `readMultistatus`, but throws `down` if there is none. */
export async function needMultistatus(answer: CaldavResponse): Promise<Multistatus> {
  const read = await readMultistatus(answer);
  if (!read) throw down("not_a_multistatus");
  return read;
}

/** Gives the name of the precondition that a response reports as failed (RFC 4918 §16), such as `no-uid-conflict`. Null: it names none. */
export async function preconditionOf({ text }: CaldavResponse): Promise<string | null> {
  const root = await parsed(text);
  const [, name = ""] = (root && firstError(root)?.children[0])?.name.split(" ") ?? [];
  return name.length <= LONGEST_NAME && /^[a-z][a-z-]*$/i.test(name) ? name : null;
}

async function parsed(text: string): Promise<Element | null> {
  try {
    return await parseXml(text);
  } catch (error) {
    if (error instanceof XmlFault) return null;
    throw error;
  }
}

/** Finds the first error, which Xandikos wraps in a multistatus. */
function firstError(element: Element): Element | undefined {
  if (element.name === dav("error")) return element;
  for (const inner of element.children) {
    const found = firstError(inner);
    if (found) return found;
  }
  return undefined;
}
