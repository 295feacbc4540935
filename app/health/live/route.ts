import { endpoint } from "@/server/http/endpoint";
import { live } from "@/server/http/health";

export const { POST, PUT, PATCH, DELETE, OPTIONS } = endpoint([], "GET, HEAD");
export const GET = live;
export const HEAD = live;
