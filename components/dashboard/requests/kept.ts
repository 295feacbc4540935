import { requestsKept } from "@/server/domain/retention";

export const REQUESTS_KEPT = `Requests are kept for ${requestsKept}.`;
