import type { IncomingMessage, ServerResponse } from "node:http";
import { rendering } from "@/server/http/staff/missing-page";

/**
 * Gives a page about something that does not exist the status 404. Next's own way, `notFound()`, replaces the page by another, from which its
 * router cannot go on, or sends an empty one that a script fills (ADR 78). What the router asks for stays 200: at a 404 it would load the document.
 */
export async function renderPage(
  req: IncomingMessage,
  res: ServerResponse,
  next: () => void | Promise<void>,
): Promise<void> {
  await rendering(async (response) => {
    if (!req.headers.rsc) {
      const writeHead = res.writeHead;
      res.writeHead = ((status: number, ...rest: unknown[]) => {
        const shown = response.isMissing && status === 200 ? 404 : status;
        return writeHead.apply(res, [shown, ...rest] as Parameters<typeof writeHead>);
      }) as typeof writeHead;
    }
    await next();
  });
}
