import { endpoint } from "@/server/http/endpoint";
import { changeInSandbox } from "@/server/http/routes/sandbox";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = endpoint([changeInSandbox]);
