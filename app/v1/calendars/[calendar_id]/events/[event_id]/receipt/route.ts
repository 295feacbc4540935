import { apiRoutes } from "@/server/http/api-routes";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } =
  apiRoutes["/v1/calendars/[calendar_id]/events/[event_id]/receipt"];
