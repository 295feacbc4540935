import { endpoint } from "@/server/http/endpoint";
import { health } from "@/server/http/health";

export const { POST, PUT, PATCH, DELETE, OPTIONS } = endpoint([], "GET, HEAD");
export const GET = health;
export const HEAD = health;
