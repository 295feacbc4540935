import { type Account, unexpected } from "@/server/providers/caldav/account";
import { down } from "@/server/providers/caldav/ask";
import { etagOf } from "@/server/providers/caldav/etag";
import { readMultistatus } from "@/server/providers/caldav/multistatus";
import { propfind } from "@/server/providers/caldav/requests";
import { dav } from "@/server/providers/caldav/xml";
import { ProviderError } from "@/server/providers/connector";

export interface Stored {
  ics: string;
  etag: string | null;
}

/**
 * The resource as the server has it now. If the response to GET has no etag, the one requested before is used, which cannot be newer
 * than the text. Throws `gone` when there is no resource, and `down` for half of one.
 */
export async function stored(account: Account, url: string): Promise<Stored> {
  const read = await get(account, url);
  if (read.etag !== null) return read;
  const etag = await etagFrom(account, url);
  return { ...(await get(account, url)), etag };
}

/** As `stored`. Null: the resource does not exist, or no longer. */
export function storedIfAny(account: Account, url: string): Promise<Stored | null> {
  return stored(account, url).catch(absent);
}

function absent(error: unknown): null {
  if (error instanceof ProviderError && error.fault.kind === "gone") return null;
  throw error;
}

/** The server's current etag. Null: it returns none. */
export async function etagFrom(account: Account, url: string): Promise<string | null> {
  const read = await readMultistatus(await account.ask(propfind(url, "0", [dav("getetag")])));
  return etagOf(read?.entries[0]?.props.get(dav("getetag"))?.text);
}

async function get(account: Account, url: string): Promise<Stored> {
  const answer = await account.ask({ method: "GET", url });
  if (answer.status !== 200) throw unexpected(answer);
  // Half a resource must not be written back.
  if (!/END:VCALENDAR\s*$/i.test(answer.text.slice(-256))) throw down("incomplete");
  return { ics: answer.text, etag: etagOf(answer.headers.get("etag")) };
}
