import { EVENT_BODY } from "@/server/http/read-body";
import { endpoint } from "@/server/http/route";

const body = { limit: EVENT_BODY };

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = endpoint({
  POST: {
    credential: "bearer",
    body,
    call: (api, { params, body }) => api.events.write({ ...params, body }),
    answer: "accepted",
  },
  DELETE: {
    credential: "bearer",
    body,
    call: (api, { params, body }) => api.events.remove({ ...params, body }),
    answer: "accepted",
  },
});
