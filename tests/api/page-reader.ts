import { type Database, db } from "@/server/db/client";
import { eventsQuery, freeBusyQuery, type ReadInput, readInput } from "@/server/services/reads/input";
import { type ReadDefinition, readPage } from "@/server/services/reads/page";
import type { AccountContext } from "@/server/services/trpc";
import type { Reader } from "@/server/store/grants/bearer.sql";

const inputs = { events: readInput(eventsQuery), free_busy: readInput(freeBusyQuery) };

export interface PageReader {
  /** The statements that were sent for the pages. */
  sent: { text: string; values: readonly unknown[] }[];
  /** A page by its raw query, as the service reads it. */
  page(query: object): ReturnType<typeof readPage>;
}

interface Reading {
  now: number;
  /** How many calendars the statements are told of. */
  calendarCount?: number;
}

/** Reads an account's pages below HTTP, of any size: what a read does with them, and the statements that it takes. */
export function pageReader(read: ReadDefinition, accountId: string, { now, calendarCount = 1 }: Reading): PageReader {
  const sent: PageReader["sent"] = [];
  const database = db();
  const watched: Database = {
    ...database,
    query: (text, values = []) => {
      sent.push({ text, values });
      return database.query(text, values);
    },
  };
  const bearer: AccountContext["bearer"] = { accountId, coveredUntil: null, calendarCount } as Reader;
  const context = { db: watched, now, baseUrl: "http://almanac.localhost", bearer } as AccountContext;
  const accept: (raw: unknown) => ReadInput = inputs[read.endpoint];
  return { sent, page: async (query) => await readPage(read, accept(query), context) };
}

/** The query of the page that follows. */
export const following = ({ next_page }: { next_page?: string }) => ({ cursor: next_page?.split("cursor=")[1] });
