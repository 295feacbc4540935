import { randomBytes } from "node:crypto";
import { type FrontRequest, type FrontResponse, plain, startFront } from "../fakes/forward";
import { type Radicale, startRadicale } from "../fakes/radicale";

/** What the service and the browser meet outside: a CalDAV server, and the application that sends people here, at one port. */
export interface Outside {
  origin: string;
  callback: string;
  radicale: Radicale;
  /** What the provider answers instead of its own: null breaks the connection. */
  instead(asked: FrontRequest): FrontResponse | null | undefined | Promise<FrontResponse | null | undefined>;
  close(): Promise<void>;
}

export const page = (status: number, html: string): FrontResponse => ({
  ...plain(status, { "content-type": "text/html; charset=utf-8" }),
  body: Buffer.from(`<!DOCTYPE html><html lang="en"><title>Acme</title>${html}`),
});

/**
 * The application's callback leads on to another origin, as many do. Its other pages are those of `pages`. At the port where the service
 * of tests/e2e/playwright.config.ts expects it; 0: at any, for a service of the test's own.
 */
export async function startOutside(
  pages: Record<string, string> = {},
  expected = Number(process.env.E2E_OUTSIDE_PORT),
): Promise<Outside> {
  // Files share a service, which accepts ten sign-ins in a row with one name, and one more every 20 seconds.
  const radicale = await startRadicale(`anna-${randomBytes(4).toString("hex")}@example.com`);
  const behind = () => Number(new URL(radicale.url).port);
  const answer = async (asked: FrontRequest, handOn: () => Promise<FrontResponse>): Promise<FrontResponse | null> => {
    const [path = "", query = ""] = asked.path.split("?");
    if (path === "/application/callback") {
      return plain(302, { location: `http://localhost:${front.port}/application/welcome?${query}` });
    }
    if (path.startsWith("/application/")) return page(200, pages[path] ?? "<h1>Welcome back to Acme</h1>");
    const given = await outside.instead(asked);
    return given === undefined ? handOn() : given;
  };
  const front = await startFront(behind, answer, expected);
  const origin = `http://127.0.0.1:${front.port}`;
  const outside: Outside = {
    origin,
    callback: `${origin}/application/callback`,
    radicale,
    instead: () => undefined,
    close: async () => {
      await front.close();
      await radicale.close();
    },
  };
  return outside;
}

/** The listing of a home without any calendar. */
export function noCalendars({ headers, path }: FrontRequest): FrontResponse | undefined {
  if (headers.depth !== "1") return undefined;
  const home = `<response><href>${path}</href><propstat><prop><resourcetype><collection/></resourcetype></prop>
<status>HTTP/1.1 200 OK</status></propstat></response>`;
  const body = Buffer.from(`<?xml version="1.0"?><multistatus xmlns="DAV:">${home}</multistatus>`);
  return { ...plain(207, { "content-type": "application/xml" }), body };
}
