import { createCalendarObject, deleteCalendarObject, fetchCalendarObjects, updateCalendarObject } from "tsdav";
import { basic, type Login } from "./dav-server";

export interface Resource {
  url: string;
  etag: string;
  ics: string;
}

export interface OtherClient {
  /** All resources of the calendar, in the order of their names. */
  list(): Promise<Resource[]>;
  find(part: string): Promise<Resource | undefined>;
  /** A new resource by this name; `ics` is the whole VCALENDAR, or what stands in it. */
  create(name: string, ics: string): Promise<Resource>;
  /** Rewrites what the server has now; `change` takes and gives the whole text. */
  change(part: string, change: (ics: string) => string): Promise<Resource>;
  remove(part: string): Promise<void>;
}

/** The other person: somebody who works in the same calendar with a client of her own (tsdav), or as it is sent raw. */
export function otherClient(calendar: string, login: Login): OtherClient {
  const headers = { authorization: basic(login) };
  const list = async () => {
    const objects = await fetchCalendarObjects({
      calendar: { url: calendar },
      headers: { authorization: basic(login) },
    });
    return objects
      .map(({ url, etag, data }) => ({ url, etag: etag ?? "", ics: String(data) }))
      .sort((a, b) => (a.url < b.url ? -1 : 1));
  };
  const find = async (part: string) => (await list()).find(({ url, ics }) => url.includes(part) || ics.includes(part));
  const need = async (part: string) => {
    const found = await find(part);
    if (!found) throw new Error(`There is no resource with ${part}.`);
    return found;
  };
  return {
    list,
    find,
    create: async (name, ics) => {
      const iCalString = whole(ics);
      const filename = `${name}.ics`;
      await done(await createCalendarObject({ calendar: { url: calendar }, iCalString, filename, headers }));
      return need(`/${filename}`);
    },
    change: async (part, change) => {
      const { url, etag, ics } = await need(part);
      await done(await updateCalendarObject({ calendarObject: { url, etag, data: change(ics) }, headers }));
      return need(url);
    },
    remove: async (part) => {
      const { url, etag } = await need(part);
      await done(await deleteCalendarObject({ calendarObject: { url, etag }, headers }));
    },
  };
}

function whole(ics: string): string {
  const text = ics.trim().startsWith("BEGIN:VCALENDAR")
    ? ics.trim()
    : `BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//Other//Client//EN\n${ics.trim()}\nEND:VCALENDAR`;
  return `${text.split(/\r?\n/).join("\r\n")}\r\n`;
}

async function done(response: Response): Promise<void> {
  if (!response.ok) throw new Error(`The server refused it: ${response.status} ${await response.text()}`);
}
