import { cache } from "react";
import { reading } from "@/app/dashboard/(staff)/reading";
import { staffPage } from "@/server/http/staff/page";

/** The endpoint of a page; read once for the page, its title and its layouts. */
export const endpointOf = cache(async (id: string) => {
  const { api } = await staffPage();
  return await reading(api.endpoints.get({ id }));
});
