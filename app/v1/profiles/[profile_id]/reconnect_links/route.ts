import { apiRoutes } from "@/server/http/api-routes";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoutes["/v1/profiles/[profile_id]/reconnect_links"];
