import { staffRouter } from "@/server/services/staff/procedure/trpc";
import { requestErrors } from "@/server/services/staff/requests/errors";
import { getRequest } from "@/server/services/staff/requests/get";
import { countOfRequests, listRequests, requestsPulse } from "@/server/services/staff/requests/list";
import { requestsNotStored } from "@/server/services/staff/requests/not-stored";

/** The request log. */
export const requestsRouter = staffRouter({
  list: listRequests,
  count: countOfRequests,
  get: getRequest,
  errors: requestErrors,
  pulse: requestsPulse,
  notStored: requestsNotStored,
});
