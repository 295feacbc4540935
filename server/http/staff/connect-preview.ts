import { isColour } from "@/server/domain/branding/accent";
import type { Branding } from "@/server/domain/branding/branding";
import { parsedUrl } from "@/server/domain/net/parsed-url";
import type { Render } from "@/server/http/connect/endpoint";
import type { ConnectView, Screen } from "@/server/http/connect/screen";
import { framedPage } from "@/server/http/page";
import { readingResponse } from "@/server/http/staff/reading-response";
import { serverName } from "@/server/providers/offered";
import { type CaldavServer, offersOf } from "@/server/providers/offers";

/**
 * Serves GET /api/branding: the connect page of an application as its users see it, for the dashboard to frame. What is
 * not saved yet comes in the query.
 */
export function connectPreview(request: Request, render: Render): Promise<Response> {
  return readingResponse(request, async ({ api, params }) => {
    const first = (name: string) => params[name]?.[0];
    const id = first("application") ?? "";
    const [{ name, editForeignEvents, caldavServers }, saved] = await Promise.all([
      api.applications.get({ id }),
      api.applications.branding({ id }),
    ]);
    const branding: Branding = {
      logo: saved.logo,
      accent: given(first("accent"), saved.accent, isColour),
      supportUrl: given(first("supportUrl"), saved.supportUrl, isLink),
      privacyUrl: given(first("privacyUrl"), saved.privacyUrl, isLink),
    };
    const preview = first("theme") === "dark" ? "dark" : "light";
    const view: ConnectView = {
      language: "en",
      screen: screenOf(name, editForeignEvents, caldavServers),
      branding,
      preview,
    };
    return framedPage(await render(view));
  });
}

function screenOf(application: string, foreignEdits: boolean, servers: readonly CaldavServer[]): Screen {
  const providers = offersOf({ servers }).map(({ provider, server }) => ({
    ...{ provider, name: serverName(provider, server?.name), href: `#${server?.id ?? provider}` },
  }));
  const summary = {
    application,
    access: "full",
    joins: null,
    reconnects: null,
    foreignEdits,
    returnsTo: null,
    cancel: "#cancel",
    inLanguage: { en: "#en", de: "#de", fr: "#fr", es: "#es", ja: "#ja" },
  } as const;
  return { kind: "choose", ...summary, providers, trouble: null };
}

/**
 * Picks the value from the query, or the saved one if the query's is missing or cannot be saved. Null: there is none.
 */
function given(text: string | undefined, saved: string | null, isValid: (text: string) => boolean): string | null {
  if (text === "") return null;
  return text !== undefined && isValid(text) ? text : saved;
}

function isLink(text: string): boolean {
  return parsedUrl(text)?.protocol === "https:";
}
