import { endpoint } from "@/server/http/endpoint";
import { servedPostman } from "@/server/http/openapi/served";

export const dynamic = "force-dynamic";
export const { POST, PUT, PATCH, DELETE, OPTIONS } = endpoint([], "GET, HEAD");
export const GET = servedPostman;
export const HEAD = servedPostman;
