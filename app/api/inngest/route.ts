import { inngestRoute } from "@/server/jobs/inngest-route";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = inngestRoute();
