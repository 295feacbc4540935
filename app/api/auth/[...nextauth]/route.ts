import { renderSignIn } from "@/components/sign-in/render";
import { authEndpoint } from "@/server/http/staff/auth-endpoint";

export const dynamic = "force-dynamic";
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = authEndpoint(renderSignIn);
