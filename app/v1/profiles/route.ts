import { endpoint } from "@/server/http/endpoint";
import { listProfiles } from "@/server/http/routes/accounts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = endpoint([listProfiles]);
