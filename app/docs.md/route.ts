import { firstText } from "@/components/docs/render-text";
import { docsTextEndpoint } from "@/server/http/docs/endpoint";

export const dynamic = "force-dynamic";
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = docsTextEndpoint(firstText);
