import { endpoint } from "@/server/http/endpoint";
import { REQUEST_ID_HEADER } from "@/server/http/exchange";
import { page } from "@/server/http/page";
import { requestId } from "@/server/http/request-id";

/** What programs ask for: their 404 is JSON. */
const API_PATH = /^\/(?:v\d+|oauth|api|health)(?:[/.]|$)/i;

/** In place of the request's: the rest of the page is the same for everybody, and rendered once. */
const ID = "req_of_nobody";

/** Builds the exports of the route for every path that nothing else takes: a page for browsers, JSON for all else. */
export function notFoundEndpoint(render: (requestId: string) => Promise<string>) {
  const nothing = endpoint([]);
  let template: Promise<string> | undefined;
  const open = async (request: Request, context: Parameters<typeof nothing.GET>[1]) => {
    const missing = await nothing.GET(request, context);
    if (!isNavigation(request)) return missing;
    const id = request.headers.get(REQUEST_ID_HEADER) ?? requestId(request.headers.get("svc-request-id"));
    template ??= render(ID);
    const shown = page((await template).replace(ID, id), 404);
    shown.headers.set("svc-request-id", id);
    return shown;
  };
  return { ...nothing, GET: open };
}

function isNavigation({ url, headers }: Request): boolean {
  return !API_PATH.test(new URL(url).pathname) && (headers.get("accept") ?? "").includes("text/html");
}
