import { trpcRoute } from "@/server/http/staff/trpc-route";

export const dynamic = "force-dynamic";
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = trpcRoute;
