import { chartEndpoint, getEndpoint } from "@/server/services/staff/endpoints/get";
import { countEndpoints, listEndpoints } from "@/server/services/staff/endpoints/list";
import { staffRouter } from "@/server/services/staff/procedure/trpc";

export const endpointsRouter = staffRouter({
  list: listEndpoints,
  count: countEndpoints,
  get: getEndpoint,
  chart: chartEndpoint,
});
