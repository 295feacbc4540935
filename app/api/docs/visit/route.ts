import { visitEndpoint } from "@/server/http/docs/visit-endpoint";

export const dynamic = "force-dynamic";
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = visitEndpoint();
