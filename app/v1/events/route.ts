import { endpoint } from "@/server/http/endpoint";
import { listEvents } from "@/server/http/routes/reading";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = endpoint([listEvents]);
