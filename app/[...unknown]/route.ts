import { renderNotFound } from "@/components/front/not-found-page";
import { notFoundEndpoint } from "@/server/http/not-found";

export const dynamic = "force-dynamic";
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = notFoundEndpoint(renderNotFound);
