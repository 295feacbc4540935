import { staffRouter } from "@/server/services/staff/procedure/trpc";
import { findApplications, findThings } from "@/server/services/staff/search/find";

export const searchRouter = staffRouter({ find: findThings, applications: findApplications });
