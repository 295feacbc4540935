import { z } from "zod";
import { seal, unseal } from "@/server/db/sealed";

/** How long the second step of a sign-in may take, and setting up an authenticator app. */
const LIFE_MS = 10 * 60_000;

const schemas = {
  /** A sign-in after its password. `secret`: of the second factor that the operator has to set up first. */
  sign_in: z.object({
    operatorId: z.string(),
    email: z.string(),
    passwordMark: z.string(),
    secret: z.string().nullable(),
  }),
  /** A second factor that a signed-in operator is setting up. */
  set_up: z.object({ operatorId: z.string(), sessionId: z.string(), secret: z.string() }),
};

type Schemas = typeof schemas;
export type Pending<Kind extends keyof Schemas> = z.output<Schemas[Kind]>;

/** Seals what a browser keeps until the next step, which is within ten minutes. */
export function sealPending<Kind extends keyof Schemas>(kind: Kind, pending: Pending<Kind>, now: number): string {
  return seal(JSON.stringify({ ...pending, until: now + LIFE_MS }), placeOf(kind));
}

/** Opens what `sealPending` sealed. Null: it is too old, or nothing of the kind. */
export function openPending<Kind extends keyof Schemas>(kind: Kind, sealed: string, now: number): Pending<Kind> | null {
  try {
    const opened: unknown = JSON.parse(unseal(sealed, placeOf(kind)));
    const { until } = z.object({ until: z.number() }).parse(opened);
    return until > now ? (schemas[kind].parse(opened) as Pending<Kind>) : null;
  } catch {
    return null;
  }
}

/** Names what a value is sealed as, and opens as alone. */
function placeOf(kind: keyof Schemas) {
  return { table: "operators", column: `pending_${kind}`, row: "" };
}
