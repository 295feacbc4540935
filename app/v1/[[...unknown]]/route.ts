import { endpoint } from "@/server/http/endpoint";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = endpoint([]);
