import { endpoint } from "@/server/http/route";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = endpoint({
  GET: { credential: "bearer", call: (api) => api.userinfo(), answer: "json" },
});
