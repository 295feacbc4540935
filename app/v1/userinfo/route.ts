import { endpoint } from "@/server/http/endpoint";
import { showUserinfo } from "@/server/http/routes/accounts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = endpoint([showUserinfo]);
