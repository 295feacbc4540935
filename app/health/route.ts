import { healthRoutes } from "@/server/http/api-routes";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = healthRoutes["/health"];
