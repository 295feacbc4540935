import { headers } from "next/headers";
import { cache } from "react";
import { applicationHead } from "@/app/dashboard/(staff)/applications/[id]/application";
import { endpointOf } from "@/app/dashboard/(staff)/endpoints/[id]/endpoint";
import { reading } from "@/app/dashboard/(staff)/reading";
import type { ThingWithPage } from "@/components/dashboard/missing-thing";
import { PATH_HEADER } from "@/server/http/exchange";
import { staffPage } from "@/server/http/staff/page";

const find: Record<ThingWithPage, (id: string) => Promise<boolean>> = {
  account: async (id) => {
    const { api } = await staffPage();
    const { value } = await reading(api.accounts.list({ q: id, limit: 1 }));
    return value?.items[0]?.id === id;
  },
  application: async (id) => (await applicationHead(id)).value !== undefined,
  endpoint: async (id) => (await endpointOf(id)).value !== undefined,
};

/**
 * What the requested path names and does not exist; null: nothing. The layout looks, since a page is streamed below a skeleton: its status
 * code has been sent by the time that the page knows.
 */
export const missingThing = cache(async (): Promise<ThingWithPage | null> => {
  const named = thingIn((await headers()).get(PATH_HEADER) ?? "");
  return named && !(await find[named.thing](named.id)) ? named.thing : null;
});

/** The thing whose page a path is. */
export function thingIn(path: string): { thing: ThingWithPage; id: string } | null {
  const [pathname = ""] = path.split("?");
  const [, list, id, page] =
    /^\/dashboard\/(accounts|applications|endpoints)\/([^/]+)(?:\/(\w+))?\/?$/.exec(pathname) ?? [];
  // The short address of an account leads to the list.
  if (list === undefined || id === undefined || (list === "accounts" && page === undefined)) return null;
  return { thing: things[list as keyof typeof things], id: decoded(id) };
}

const things = { accounts: "account", applications: "application", endpoints: "endpoint" } as const;

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
