import { graphiqlFile } from "@/server/graphql/graphiql";
import { endpoint } from "@/server/http/endpoint";
import { staffOf } from "@/server/http/staff/staff-request";

export const dynamic = "force-dynamic";
const nothing = endpoint([]);
export const { POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = nothing;

/** The files that the GraphiQL page loads, for signed-in operators. */
export async function GET(request: Request, context: { params: Promise<{ file: string }> }): Promise<Response> {
  const { operator } = await staffOf(request);
  const { file } = await context.params;
  const response = operator && (await graphiqlFile(file));
  return response || nothing.GET(request, context);
}
