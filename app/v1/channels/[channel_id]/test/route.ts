import { endpoint } from "@/server/http/endpoint";
import { testChannel } from "@/server/http/routes/notifications";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = endpoint([testChannel]);
