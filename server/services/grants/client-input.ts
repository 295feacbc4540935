import { type Input, rawInput } from "@/server/services/input";

/** A body from a client: with a secret, or without, as only a public client may send it. */
export type ClientRequest<T> =
  | { kind: "secret"; body: T }
  | {
      kind: "no_secret";
      clientId: string;
      /** What a client that is not public gets. */
      refusal: unknown;
      /** Reads the body. Throws what is wrong with it except for the secret. */
      read(): T;
    };

/** Stands in for a secret that a public client omitted: nothing looks at it. */
const NO_SECRET = "none";

/**
 * Creates the input of an OAuth endpoint that public clients call too. `read` reads a body with client id and secret,
 * and throws what is wrong with it: that is thrown at once unless the secret is missing, which only the stored client
 * can decide on. An empty secret counts as omitted (RFC 6749 §3.2).
 */
export function clientInput<T>(read: (raw: unknown) => T): Input<ClientRequest<T>> {
  return rawInput((raw) => {
    const { client_id: clientId, client_secret: secret = "" } = (raw ?? {}) as Record<string, unknown>;
    if (secret !== "" && secret !== null) return { kind: "secret", body: read(raw) };
    try {
      return { kind: "secret", body: read(raw) };
    } catch (refusal) {
      if (typeof clientId !== "string") throw refusal;
      return {
        ...{ kind: "no_secret", clientId, refusal },
        read: () => read({ ...(raw as object), client_secret: NO_SECRET }),
      };
    }
  });
}
