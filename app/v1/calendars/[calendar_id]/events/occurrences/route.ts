import { endpoint } from "@/server/http/endpoint";
import { changeOccurrence } from "@/server/http/routes/writing";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = endpoint([changeOccurrence]);
