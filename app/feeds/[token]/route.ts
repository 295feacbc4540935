import { feedRoutes } from "@/server/http/api-routes";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = feedRoutes["/feeds/[token]"];
