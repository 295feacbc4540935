import { type Account, unexpected } from "@/server/providers/caldav/account";
import { type CaldavResponse, down } from "@/server/providers/caldav/ask";
import { etagOf } from "@/server/providers/caldav/etag";
import { readMultistatus } from "@/server/providers/caldav/multistatus";
import { multiget, propfind } from "@/server/providers/caldav/requests";
import { cal, dav } from "@/server/providers/caldav/xml";
import { ProviderError } from "@/server/providers/connector";

export interface StoredResource {
  ics: string;
  etag: string | null;
}

/**
 * Gives the resource as the server has it now. If the response to GET has no etag, the one requested before is used, which cannot be newer
 * than the text. Throws `gone` when there is no resource, and `down` for half of one.
 */
export async function stored(account: Account, url: string): Promise<StoredResource> {
  const read = await get(account, url);
  if (read.etag !== null) return read;
  const etag = await etagFrom(account, url);
  return { ...(await get(account, url)), etag };
}

/** Reads it as `stored` does. Null: the resource does not exist, or no longer. */
export function storedIfAny(account: Account, url: string): Promise<StoredResource | null> {
  return stored(account, url).catch(absent);
}

function absent(error: unknown): null {
  if (error instanceof ProviderError && error.fault.kind === "gone") return null;
  throw error;
}

/** Gives the server's current etag. Null: it returns none. */
export async function etagFrom(account: Account, url: string): Promise<string | null> {
  const read = await readMultistatus(await account.ask(propfind(url, "0", [dav("getetag")])));
  return etagOf(read?.entries[0]?.props.get(dav("getetag"))?.text);
}

async function get(account: Account, url: string): Promise<StoredResource> {
  const answer = await account.ask({ method: "GET", url });
  if (answer.status !== 200) throw unexpected(answer);
  // Half a resource must not be written back.
  if (!hasEnd(answer.text) && !(await isWhole(account, answer))) throw down("incomplete");
  return { ics: answer.text, etag: etagOf(answer.headers.get("etag")) };
}

/** Reports whether a text has the end of a calendar. More text may follow that end. */
function hasEnd(text: string): boolean {
  return /^END\s*:\s*VCALENDAR\s*$/im.test(text);
}

/** Reports whether the server keeps a text that has no end. A multistatus shows where the text is over. */
async function isWhole(account: Account, { url, text }: CaldavResponse): Promise<boolean> {
  const { pathname } = new URL(url);
  const answer = await account.ask(multiget(new URL(".", url).href, [pathname], [cal("calendar-data")]));
  const [entry] = (await readMultistatus(answer))?.entries ?? [];
  return linesOf(entry?.props.get(cal("calendar-data"))?.text ?? "") === linesOf(text);
}

/** Normalizes what XML may change in a text. */
function linesOf(text: string): string {
  return text.replace(/\s*[\r\n]\s*/g, "\n").trim();
}
