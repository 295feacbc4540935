import { randomBytes } from "node:crypto";
import { env } from "@/server/env";
import type { ApiRequest } from "@/server/http/api-request";

const VALUE_BYTES = 32;
const VALUE = /^[\w-]{43}$/;

/** Reads the cookie that says which browser opened a page, or makes a new one. `header` sets it. */
export function browserCookie(request: Pick<ApiRequest, "headers">): { value: string; header: string } {
  const isSecure = env().APP_URL.startsWith("https:");
  const name = isSecure ? "__Host-almanac-connect" : "almanac-connect";
  const value = read(request.headers.get("cookie") ?? "", name) ?? randomBytes(VALUE_BYTES).toString("base64url");
  return { value, header: `${name}=${value}; Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}` };
}

function read(header: string, name: string): string | null {
  const pairs = header.split(";").map((pair) => pair.trim());
  const value = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
  return value !== undefined && VALUE.test(value) ? value : null;
}
