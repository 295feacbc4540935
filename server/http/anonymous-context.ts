import { db } from "@/server/db/client";
import { env } from "@/server/env";
import type { Context } from "@/server/services/trpc";
import { readOnlyFor } from "@/server/store/maintenance/maintenance";

/** Creates the context of a caller who has no credentials and shows none: there is nothing to count but the request itself. */
export function anonymousContext(now: number): Context {
  const { BASE_URL, SANDBOX, WIRE_NAMES } = env();
  return {
    ...{ db: db(), now, names: WIRE_NAMES, baseUrl: BASE_URL, callbackOrigins: [], bearer: null, client: null },
    sandbox: { isOn: SANDBOX === "on", refusesWrites: false, holdsWrites: false },
    readOnlyFor: readOnlyFor(now),
    limits: {
      beforeSecret() {},
      rightSecret() {},
      wrongSecret() {},
      application() {},
      publicClient() {},
      registration() {},
    },
  };
}
