import { endpoint } from "@/server/http/endpoint";
import { createLinkToken } from "@/server/http/routes/connecting";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = endpoint([createLinkToken]);
