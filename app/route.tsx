import { FrontPage } from "@/components/front/front-page";
import { env } from "@/server/env";
import { endpoint } from "@/server/http/endpoint";
import { page } from "@/server/http/page";

export const dynamic = "force-dynamic";
export const { POST, PUT, PATCH, DELETE, OPTIONS } = endpoint([], "GET, HEAD");

export async function GET(): Promise<Response> {
  const { renderToStaticMarkup } = await import("react-dom/server");
  return page(renderToStaticMarkup(<FrontPage baseUrl={env().BASE_URL} />));
}
