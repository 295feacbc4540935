import type { Metadata } from "next";
import { ofPage, type Reading } from "@/app/dashboard/(staff)/reading";
import { firstOf, type Params } from "@/components/dashboard/address/address";

export interface ListParams {
  searchParams: Promise<Params>;
}

/** Builds the title of a list whose panel shows what `open` names. */
export function listed(title: string, read: (id: string) => Promise<Reading<unknown>>) {
  return async ({ searchParams }: ListParams): Promise<Metadata> => {
    await readOpen(searchParams, read);
    return { title };
  };
}

/** Loads what the panel shows before the page is sent, because the page's status says whether it exists. */
export async function readOpen(searchParams: Promise<Params>, read: (id: string) => Promise<Reading<unknown>>) {
  const open = firstOf(await searchParams, "open");
  if (open) ofPage(await read(open));
}
