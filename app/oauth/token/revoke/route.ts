import { endpoint } from "@/server/http/endpoint";
import { revokeToken } from "@/server/http/routes/connecting";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = endpoint([revokeToken]);
