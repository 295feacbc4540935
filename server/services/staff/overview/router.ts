import { showOverview } from "@/server/services/staff/overview/show";
import { staffRouter } from "@/server/services/staff/procedure/trpc";

/** The first page. */
export const overviewRouter = staffRouter({ show: showOverview });
