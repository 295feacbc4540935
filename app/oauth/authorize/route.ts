import { renderConnect } from "@/components/connect/render";
import { connectEndpoint } from "@/server/http/connect/endpoint";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = connectEndpoint(renderConnect);
