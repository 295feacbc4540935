import { renderSignIn } from "@/components/sign-in/render";
import { signInEndpoint } from "@/server/http/staff/sign-in-page";

export const dynamic = "force-dynamic";
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = signInEndpoint(renderSignIn);
