import type { IncomingMessage, ServerResponse } from "node:http";
import { busyPage } from "@/server/front-door/busy-page";
import { type PageResponse, rendering } from "@/server/http/staff/page-response";

/**
 * Gives a page about something that does not exist the status 404. Next's own way, `notFound()`, replaces the page by another, from which its
 * router cannot go on, or sends an empty one that a script fills (ADR 78). Of a page that failed for a reason that passes Next sends such an
 * empty one too: it is replaced. What the router asks for stays as it is: at another status it would load the document.
 */
export async function renderPage(
  req: IncomingMessage,
  res: ServerResponse,
  next: () => void | Promise<void>,
): Promise<void> {
  await rendering(async (response) => {
    if (!req.headers.rsc) sendAs(res, response);
    await next();
  });
}

/** Has the response be what its page said, whatever Next writes. */
function sendAs(res: ServerResponse, response: Readonly<PageResponse>): void {
  const { writeHead, write, end } = res;
  let isReplaced = false;
  const replaces = (status: number): boolean => {
    if (isReplaced || res.headersSent || response.retryAfter === null || (status !== 200 && status !== 500))
      return isReplaced;
    isReplaced = true;
    const page = busyPage(response.retryAfter);
    for (const [name, value] of Object.entries(page.headers)) res.setHeader(name, value);
    res.removeHeader("Content-Length");
    res.statusCode = page.status;
    Object.assign(res, { writeHead });
    end.call(res, page.body, "utf8");
    return true;
  };
  res.writeHead = ((status: number, ...rest: unknown[]) => {
    if (replaces(status)) return res;
    const shown = response.isMissing && status === 200 ? 404 : status;
    return writeHead.apply(res, [shown, ...rest] as Parameters<typeof writeHead>);
  }) as typeof writeHead;
  res.write = ((...piece: Parameters<typeof write>) =>
    replaces(res.statusCode) || write.apply(res, piece)) as typeof write;
  res.end = ((...piece: Parameters<typeof end>) =>
    replaces(res.statusCode) ? res : end.apply(res, piece)) as typeof end;
}
