import { EVENT_BODY } from "@/server/http/read-body";
import { endpoint } from "@/server/http/route";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = endpoint({
  POST: {
    credential: "bearer",
    body: { limit: EVENT_BODY },
    call: (api, { params, body }) => api.events.changeOccurrence({ ...params, body }),
    answer: "accepted",
  },
});
