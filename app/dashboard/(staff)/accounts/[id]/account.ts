import type { Metadata } from "next";
import { accountOf } from "@/app/dashboard/(staff)/accounts/open-account";
import { readOpen } from "@/app/dashboard/(staff)/listed";
import { ofPage, type Reading } from "@/app/dashboard/(staff)/reading";
import { accountName } from "@/components/dashboard/accounts/words";
import type { Params } from "@/components/dashboard/address/address";

export interface AccountParams {
  params: Promise<{ id: string }>;
}

/**
 * Builds a page's title: "Timeline · anna@acme.io", or the account's name without a word. `read`: what the page's panel
 * shows.
 */
export function titled(word?: string, read?: (id: string) => Promise<Reading<unknown>>) {
  return async ({ params, searchParams }: AccountParams & { searchParams: Promise<Params> }): Promise<Metadata> => {
    const account = ofPage(await accountOf((await params).id));
    if (!account) return { title: "Account not found" };
    if (read) await readOpen(searchParams, read);
    return { title: word ? `${word} · ${accountName(account)}` : accountName(account) };
  };
}
