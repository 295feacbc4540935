import { docsFile } from "@/server/http/docs/site-files";
import { endpoint } from "@/server/http/endpoint";

export const dynamic = "force-dynamic";
const nothing = endpoint([]);
export const { POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = nothing;

/** The style and the script of the documentation's pages. */
export async function GET(request: Request, context: { params: Promise<{ name: string }> }): Promise<Response> {
  const { name } = await context.params;
  return (await docsFile(request, name)) ?? nothing.GET(request, context);
}
