import { endpoint } from "@/server/http/endpoint";
import { hook } from "@/server/http/hook";

export const { GET, PUT, PATCH, DELETE, HEAD, OPTIONS } = endpoint([], "POST");

export const POST = hook;
