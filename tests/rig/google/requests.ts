import { passed } from "@/tests/rig/until";

const PATIENCE_MS = 10_000;
const PAUSE_MS = 200;

/** A request of the application. */
export interface ApiRequest {
  method: "POST" | "DELETE";
  path: string;
  body: object;
}

/** As an application does it: the same request again until it is accepted, at whichever process answers. Throws for a request that is wrong. */
export async function accepted(origin: () => string, token: string, { method, path, body }: ApiRequest): Promise<void> {
  for (;;) {
    const status = await sent(`${origin()}${path}`, { method, token, body });
    if (status === 202) return;
    if (status >= 400 && status < 500 && status !== 429) throw new Error(`${method} ${path}: ${status}`);
    await passed(PAUSE_MS);
  }
}

/** 0: there was no response. */
async function sent(
  url: string,
  { method, token, body }: { method: string; token: string; body: object },
): Promise<number> {
  try {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const signal = AbortSignal.timeout(PATIENCE_MS);
    return (await fetch(url, { method, headers, body: JSON.stringify(body), signal })).status;
  } catch {
    return 0;
  }
}
