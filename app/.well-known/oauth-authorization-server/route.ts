import { endpoint } from "@/server/http/endpoint";
import { oauthMetadata } from "@/server/http/oauth-metadata";

export const dynamic = "force-dynamic";
export const { POST, PUT, PATCH, DELETE, OPTIONS } = endpoint([], "GET, HEAD");
export const GET = oauthMetadata;
export const HEAD = oauthMetadata;
