import { endpoint } from "@/server/http/endpoint";
import { closeChannel } from "@/server/http/routes/notifications";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = endpoint([closeChannel]);
