import { endpoint } from "@/server/http/endpoint";
import { protectedResourceMetadata } from "@/server/http/oauth-metadata";

export const dynamic = "force-dynamic";
export const { POST, PUT, PATCH, DELETE, OPTIONS } = endpoint([], "GET, HEAD");
export const GET = protectedResourceMetadata;
export const HEAD = protectedResourceMetadata;
