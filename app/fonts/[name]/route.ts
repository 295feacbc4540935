import { font } from "@/server/http/fonts";
import { endpoint } from "@/server/http/route";

export const { POST, PUT, PATCH, DELETE, OPTIONS } = endpoint({}, "GET, HEAD");

export async function GET(request: Request, { params }: { params: Promise<{ name: string }> }): Promise<Response> {
  return font(request, (await params).name);
}
export const HEAD = GET;
