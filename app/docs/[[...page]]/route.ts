import { docs } from "@/components/docs/render";
import { docsEndpoint } from "@/server/http/docs/endpoint";

export const dynamic = "force-dynamic";
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = docsEndpoint(docs);
