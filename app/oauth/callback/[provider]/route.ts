import { renderConnect } from "@/components/connect/render";
import { callbackEndpoint } from "@/server/http/connect/endpoint";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = callbackEndpoint(renderConnect);
