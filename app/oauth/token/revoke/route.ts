import { SMALL_BODY } from "@/server/http/read-body";
import { endpoint } from "@/server/http/route";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = endpoint({
  POST: {
    credential: "client",
    body: { limit: SMALL_BODY, form: true, unreadable: "invalid_request" },
    call: (api, { body }) => api.grants.revoke(body),
    answer: "done",
  },
});
