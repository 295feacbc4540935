import { renderConnect } from "@/components/connect/render";
import { endpoint } from "@/server/http/endpoint";
import { connectPreview } from "@/server/http/staff/connect-preview";

export const { HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint([], "GET");

export function GET(request: Request): Promise<Response> {
  return connectPreview(request, renderConnect);
}
