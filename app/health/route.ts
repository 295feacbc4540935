import { health } from "@/server/http/health";
import { endpoint } from "@/server/http/route";

export const { POST, PUT, PATCH, DELETE, OPTIONS } = endpoint({}, "GET, HEAD");
export const GET = health;
export const HEAD = health;
