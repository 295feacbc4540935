import { FrontPage } from "@/components/front/front-page";
import { context } from "@/server/context";
import { env } from "@/server/env";
import { endpoint } from "@/server/http/endpoint";
import { unreadiness, whyNotReady } from "@/server/http/health";
import { keptTexts } from "@/server/http/kept-texts";
import { documentVersion, servedDocument } from "@/server/http/openapi/served";
import { pageResponse } from "@/server/http/page";

export const dynamic = "force-dynamic";
export const { POST, PUT, PATCH, DELETE, OPTIONS } = endpoint([], "GET, HEAD");

const respond = keptTexts();

export async function GET(request: Request): Promise<Response> {
  const { BASE_URL: baseUrl } = env();
  const { version } = context.build;
  const about = servedDocument().info.summary;
  const reason = await whyNotReady();
  const fault = reason && unreadiness[reason];
  const make = async () => {
    const { renderToStaticMarkup } = await import("react-dom/server");
    const { headers, body } = pageResponse(renderToStaticMarkup(<FrontPage {...{ about, baseUrl, version, fault }} />));
    return { type: "text/html; charset=utf-8", text: body ?? "", headers };
  };
  return respond(request, { name: "/", version: `${documentVersion()} ${reason}`, make });
}
