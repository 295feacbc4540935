import { endpoint } from "@/server/http/endpoint";
import { listFreeBusy } from "@/server/http/routes/reading";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = endpoint([listFreeBusy]);
