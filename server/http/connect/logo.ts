import { logoHashOf } from "@/server/domain/branding/branding";
import { picturePolicy } from "@/server/domain/net/content-security-policy";
import { connectApiFor } from "@/server/http/connect/caller";
import { openExchange } from "@/server/http/exchange";
import { whenBusy } from "@/server/http/when-busy";

/** Whatever a file turns out to be, it is shown as a picture on our own pages, and does nothing. */
const strict = {
  "content-type": "image/png",
  "content-disposition": "inline",
  "content-security-policy": picturePolicy,
  "cross-origin-resource-policy": "same-origin",
  "x-content-type-options": "nosniff",
};
/** A year: another logo has another address. */
const forLong = { "cache-control": "public, max-age=31536000, immutable" };

/**
 * Serves GET /logos/{name}: the logo of an application for its connect page. It is not in the request log, because
 * every page requests it.
 */
export function logoResponse(request: Request, name: string): Promise<Response> {
  return whenBusy(async () => {
    const exchange = openExchange(request);
    const hash = logoHashOf(name);
    const png = hash === null ? null : await connectApiFor(exchange).api.logo(hash);
    if (!png) return new Response(null, { status: 404, headers: exchange.headers });
    const headers = { ...exchange.headers, ...strict, ...forLong };
    return new Response(request.method === "HEAD" ? null : png, { headers });
  });
}
