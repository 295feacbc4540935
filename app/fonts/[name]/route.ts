import { endpoint } from "@/server/http/endpoint";
import { font } from "@/server/http/fonts";

export const { POST, PUT, PATCH, DELETE, OPTIONS } = endpoint([], "GET, HEAD");

export async function GET(request: Request, { params }: { params: Promise<{ name: string }> }): Promise<Response> {
  return font(request, (await params).name);
}
export const HEAD = GET;
