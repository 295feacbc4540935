import { FrontPage } from "@/components/front/front-page";
import { env } from "@/server/env";
import { endpoint } from "@/server/http/endpoint";
import { keptTexts } from "@/server/http/kept-texts";
import { pageResponse } from "@/server/http/page";

export const dynamic = "force-dynamic";
export const { POST, PUT, PATCH, DELETE, OPTIONS } = endpoint([], "GET, HEAD");

const respond = keptTexts();

export function GET(request: Request): Promise<Response> {
  const { BASE_URL: baseUrl } = env();
  const make = async () => {
    const { renderToStaticMarkup } = await import("react-dom/server");
    const { headers, body } = pageResponse(renderToStaticMarkup(<FrontPage baseUrl={baseUrl} />));
    return { type: "text/html; charset=utf-8", text: body ?? "", headers };
  };
  return respond(request, { name: "/", version: baseUrl, make });
}
