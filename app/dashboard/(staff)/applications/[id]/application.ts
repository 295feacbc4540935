import type { Metadata } from "next";
import { cache } from "react";
import { readOpen } from "@/app/dashboard/(staff)/listed";
import { ofPage, type Reading, reading } from "@/app/dashboard/(staff)/reading";
import type { Params } from "@/components/dashboard/address/address";
import { staffPage } from "@/server/http/staff/page";

export interface ApplicationParams {
  params: Promise<{ id: string }>;
}

/** The application of a page, cached for the page and its layouts. */
export const applicationHead = cache(async (id: string) => {
  const { api } = await staffPage();
  return await reading(api.applications.head({ id }));
});

/**
 * Builds a page's title: "Requests · Acme Scheduling", or the application's name without a word. `read`: what the
 * page's panel shows.
 */
export function titled(word?: string, read?: (id: string) => Promise<Reading<unknown>>) {
  return async ({ params, searchParams }: ApplicationParams & { searchParams: Promise<Params> }): Promise<Metadata> => {
    const value = ofPage(await applicationHead((await params).id));
    if (read && value) await readOpen(searchParams, read);
    const name = value?.name ?? "Application not found";
    return { title: word && value ? `${word} · ${name}` : name };
  };
}
