import { endpoint } from "@/server/http/endpoint";
import { listCalendars } from "@/server/http/routes/accounts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = endpoint([listCalendars]);
