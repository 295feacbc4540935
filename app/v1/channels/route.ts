import { endpoint } from "@/server/http/endpoint";
import { listChannels, openChannel } from "@/server/http/routes/notifications";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = endpoint([listChannels, openChannel]);
