import type { Pages } from "./generated/openapi.js";

export interface Page<Item> {
  items: Item[];
  /** The number of this page, from 1. */
  current: number;
  /** How many pages there are. */
  total: number;
}

/** Reads one page: the first without a query string. */
export type ReadPage<Item> = (search?: string) => Promise<{ items: Item[]; pages: Pages }>;

/** A list that arrives in pages, each requested when it is needed: `for await (const item of list)`. Each iteration reads it again. */
export class Listed<Item> implements AsyncIterable<Item> {
  readonly #read: (search?: string) => Promise<{ items: Item[]; pages: Pick<Pages, "next_page"> }>;

  constructor(read: (search?: string) => Promise<{ items: Item[]; pages: Pick<Pages, "next_page"> }>) {
    this.#read = read;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    let search: string | undefined;
    do {
      const { items, pages } = await this.#read(search);
      yield* items;
      search = searchAfter(pages);
    } while (search !== undefined);
  }

  /** Every item, once all pages were read. */
  async toArray(): Promise<Item[]> {
    const all: Item[] = [];
    for await (const item of this) all.push(item);
    return all;
  }
}

/** A list whose pages are counted: `for await (const item of list)` as well as `for await (const page of list.pages())`. */
export class Paged<Item> extends Listed<Item> {
  readonly #read: ReadPage<Item>;

  constructor(read: ReadPage<Item>) {
    super(read);
    this.#read = read;
  }

  /** The pages, each requested when it is needed. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let search: string | undefined;
    do {
      const { items, pages } = await this.#read(search);
      yield { items, current: pages.current, total: pages.total };
      search = searchAfter(pages);
    } while (search !== undefined);
  }
}

/** The query that names the next page. The token stays with the address that the client was given. */
function searchAfter({ next_page: next }: Pick<Pages, "next_page">): string | undefined {
  return next === undefined ? undefined : new URL(next).search;
}
