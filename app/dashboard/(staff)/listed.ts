import type { Metadata } from "next";
import { ofPage, type Reading } from "@/app/dashboard/(staff)/reading";
import { firstOf, type Params } from "@/components/dashboard/address/address";

export interface ListParams {
  searchParams: Promise<Params>;
}

/** Makes the title of a list whose panel shows the thing that `open` names. */
export function listed(title: string, read: (id: string) => Promise<Reading<unknown>>) {
  return async ({ searchParams }: ListParams): Promise<Metadata> => {
    await readOpen(searchParams, read);
    return { title };
  };
}

/** Reads the thing in the panel before the page is sent, whose status says whether it exists. */
export async function readOpen(searchParams: Promise<Params>, read: (id: string) => Promise<Reading<unknown>>) {
  const open = firstOf(await searchParams, "open");
  if (open) ofPage(await read(open));
}
