import { graphiqlFile } from "@/server/graphql/graphiql";
import { endpoint } from "@/server/http/endpoint";
import { keptTexts } from "@/server/http/kept-texts";
import { staffOf } from "@/server/http/staff/staff-request";

export const dynamic = "force-dynamic";
const nothing = endpoint([]);
const respond = keptTexts();
export const { POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = nothing;

/** Serves the files that the GraphiQL page loads, to signed-in operators. */
export async function GET(request: Request, context: { params: Promise<{ file: string }> }): Promise<Response> {
  const { operator } = await staffOf(request);
  const file = operator && (await graphiqlFile((await context.params).file));
  if (!file) return nothing.GET(request, context);
  const { name, content: text, type, headers } = file;
  return respond(request, { name, version: "", make: () => ({ type, text, headers }) });
}
