import { logoResponse } from "@/server/http/connect/logo";
import { endpoint } from "@/server/http/endpoint";

export const { POST, PUT, PATCH, DELETE, OPTIONS } = endpoint([], "GET, HEAD");

export async function GET(request: Request, { params }: { params: Promise<{ name: string }> }): Promise<Response> {
  return logoResponse(request, (await params).name);
}
export const HEAD = GET;
