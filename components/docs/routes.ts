import { docs } from "@/components/docs/render";
import { firstText, llms, llmsFull, search } from "@/components/docs/render-text";
import { docsEndpoint, docsFileEndpoint, docsTextEndpoint } from "@/server/http/docs/endpoint";
import { endpoint } from "@/server/http/endpoint";
import { servedOpenApi, servedPostman } from "@/server/http/openapi/served";

const onlyRead = endpoint([], "GET, HEAD");

/** The documentation, which the front door loads with its first request, and the `route.ts` files of `app` mount in Next (ADR 87). */
export const docsRoutes = {
  "/docs/[[...page]]": docsEndpoint(docs),
  "/docs/files/[name]": docsFileEndpoint(),
  "/docs/search.json": docsTextEndpoint(search, { "cache-control": "public, max-age=300" }),
  "/docs.md": docsTextEndpoint(firstText),
  "/llms.txt": docsTextEndpoint(llms),
  "/llms-full.txt": docsTextEndpoint(llmsFull),
  "/openapi.json": { ...onlyRead, GET: servedOpenApi, HEAD: servedOpenApi },
  "/openapi/postman.json": { ...onlyRead, GET: servedPostman, HEAD: servedPostman },
};
