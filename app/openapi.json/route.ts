import { docsRoutes } from "@/components/docs/routes";

export const dynamic = "force-dynamic";
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = docsRoutes["/openapi.json"];
