import { durationWords } from "@/server/domain/time/duration-words";
import { pageResponse } from "@/server/http/page";
import type { HttpResponse } from "@/server/http/responses";

const STYLE = "body{max-width:32rem;margin:20vh auto 0;padding:0 1.5rem;font:1rem/1.5 system-ui,sans-serif}";

/**
 * Renders the page that stands in for any page while nothing can be read for it. It needs no script, and reloads
 * itself.
 */
export function busyPage(seconds: number): HttpResponse {
  const markup = [
    '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta name="robots" content="noindex"><meta name="color-scheme" content="light dark"><meta http-equiv="refresh" content="${seconds}">`,
    `<title>Almanac is busy right now</title><style>${STYLE}</style></head><body><main><h1>Almanac is busy right now</h1>`,
    `<p>Nothing was changed. This page tries again in ${durationWords(seconds * 1_000)}.</p></main></body></html>`,
  ];
  const { headers, ...page } = pageResponse(markup.join(""), 503);
  return { ...page, headers: { ...headers, "retry-after": String(seconds) } };
}
