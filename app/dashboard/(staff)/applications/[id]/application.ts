import type { Metadata } from "next";
import { cache } from "react";
import { reading } from "@/app/dashboard/(staff)/reading";
import { staffPage } from "@/server/http/staff/page";

export interface ApplicationParams {
  params: Promise<{ id: string }>;
}

/** The application of a page; read once for the page and its layouts. */
export const applicationHead = cache(async (id: string) => {
  const { api } = await staffPage();
  return await reading(api.applications.head({ id }));
});

/** Makes a page's title: "Requests · Acme Scheduling". Without a word it is the application's name. */
export function titled(word?: string) {
  return async ({ params }: ApplicationParams): Promise<Metadata> => {
    const { value } = await applicationHead((await params).id);
    const name = value?.name ?? "Application not found";
    return { title: word && value ? `${word} · ${name}` : name };
  };
}
