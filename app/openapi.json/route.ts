import { endpoint } from "@/server/http/endpoint";
import { servedOpenApi } from "@/server/http/openapi/served";

export const dynamic = "force-dynamic";
export const { POST, PUT, PATCH, DELETE, OPTIONS } = endpoint([], "GET, HEAD");
export const GET = servedOpenApi;
export const HEAD = servedOpenApi;
