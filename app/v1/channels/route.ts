import { SMALL_BODY } from "@/server/http/read-body";
import { endpoint } from "@/server/http/route";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = endpoint({
  GET: { credential: "bearer", call: (api) => api.channels.list(), answer: "json" },
  POST: {
    credential: "bearer",
    body: { limit: SMALL_BODY },
    call: (api, { body }) => api.channels.open(body),
    answer: "json",
  },
});
