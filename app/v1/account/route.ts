import { endpoint } from "@/server/http/endpoint";
import { showAccount } from "@/server/http/routes/accounts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = endpoint([showAccount]);
