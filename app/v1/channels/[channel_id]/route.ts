import { endpoint } from "@/server/http/route";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = endpoint({
  DELETE: { credential: "bearer", call: (api, { params }) => api.channels.close(params), answer: "accepted" },
});
