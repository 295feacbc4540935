import { searchIndex } from "@/components/docs/search-index";
import { servedDocument } from "@/server/http/openapi/served";

export const dynamic = "force-dynamic";

export function GET(): Response {
  return Response.json(searchIndex(servedDocument()), { headers: { "cache-control": "public, max-age=300" } });
}
