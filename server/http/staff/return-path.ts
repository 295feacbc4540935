import { parsedUrl } from "@/server/domain/net/parsed-url";

const DASHBOARD = "/dashboard";
export const SIGN_IN_PATH = "/dashboard/sign-in";
const SECOND_STEP_PATH = "/dashboard/sign-in/verify";
export const GRAPHIQL = "/api/graphql";

/**
 * Returns where to go after signing in: GraphiQL, or a path of the dashboard with its query, whatever was requested.
 */
export function returnPath(asked: string | null | undefined): string {
  if (asked === GRAPHIQL) return asked;
  const url = asked?.startsWith(DASHBOARD) ? parsedUrl(asked, "http://dashboard.invalid") : null;
  if (!url) return DASHBOARD;
  const { origin, pathname, searchParams } = url;
  const isInside = pathname === DASHBOARD || pathname.startsWith(`${DASHBOARD}/`);
  if (origin !== "http://dashboard.invalid" || !isInside || pathname.startsWith(SIGN_IN_PATH)) return DASHBOARD;
  // Next's own, with which a page would come as data.
  searchParams.delete("_rsc");
  return searchParams.size > 0 ? `${pathname}?${searchParams}` : pathname;
}

/** Links to the second step of a sign-in, which leads on to `from`. */
export function secondStepLink(from: string | null): string {
  const path = returnPath(from);
  return path === DASHBOARD ? SECOND_STEP_PATH : `${SECOND_STEP_PATH}?${new URLSearchParams({ from: path })}`;
}

/** Links to the sign-in page, which leads on to `from`. */
export function signInLink(from: string | null): string {
  const path = returnPath(from);
  return path === DASHBOARD ? SIGN_IN_PATH : `${SIGN_IN_PATH}?${new URLSearchParams({ from: path })}`;
}
