import { endpoint } from "@/server/http/route";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = endpoint({
  POST: { credential: "bearer", call: (api) => api.linkTokens.create(), answer: "json" },
});
