import type { DirectMethod } from "@/server/http/endpoint";

export type RouteParams = Record<string, string | string[]>;
export type RouteMethod = ((
  request: Request,
  context: { params: Promise<RouteParams> },
) => Response | Promise<Response>) & {
  /** Of an endpoint of the API. */
  direct?: DirectMethod;
};
export type RouteModule = Partial<Record<string, unknown>>;
/** Keys as Next names its routes: `/v1/calendars/[calendar_id]/events`, `/v1/[[...unknown]]`. */
export type RouteTable = Record<string, RouteModule>;

export interface Match {
  /** The key in the table. */
  pattern: string;
  module: RouteModule;
  params: RouteParams;
}

type Route = Pick<Match, "pattern" | "module">;

interface Branch {
  fixed: Map<string, Branch>;
  one?: { name: string; branch: Branch };
  rest?: { name: string; route: Route; mayBeEmpty: boolean };
  route?: Route;
}

/** Finds the route of a path as Next does: fixed segments before dynamic ones before catch-alls. The path's encoding must be sound. */
export function routeTable(routes: RouteTable): (pathname: string) => Match | undefined {
  const root: Branch = { fixed: new Map() };
  for (const [pattern, module] of Object.entries(routes)) grow(root, segmentsOf(pattern), { pattern, module });
  const plain = new Map(Object.entries(routes).filter(([pattern]) => !pattern.includes("[")));
  return (pathname) => {
    const path = pathname.length > 1 && pathname.endsWith("/") ? pathname.slice(0, -1) : pathname;
    const module = plain.get(path);
    return module ? { pattern: path, module, params: {} } : find(root, segmentsOf(path), {});
  };
}

function segmentsOf(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "");
}

function grow(branch: Branch, segments: string[], route: Route): void {
  const [segment, ...others] = segments;
  if (segment === undefined) {
    branch.route = route;
    return;
  }
  const rest = /^\[\[?\.\.\.(\w+)\]\]?$/.exec(segment)?.[1];
  const one = /^\[(\w+)\]$/.exec(segment)?.[1];
  if (rest) {
    branch.rest = { name: rest, route, mayBeEmpty: segment.startsWith("[[") };
  } else if (one) {
    branch.one ??= { name: one, branch: { fixed: new Map() } };
    grow(branch.one.branch, others, route);
  } else {
    const next = branch.fixed.get(segment) ?? { fixed: new Map() };
    branch.fixed.set(segment, next);
    grow(next, others, route);
  }
}

function find(branch: Branch, segments: string[], params: RouteParams): Match | undefined {
  const [segment, ...others] = segments;
  if (segment === undefined) {
    if (branch.route) return { params, ...branch.route };
    return branch.rest?.mayBeEmpty ? { params, ...branch.rest.route } : undefined;
  }
  const fixed = branch.fixed.get(segment);
  const found = fixed && find(fixed, others, params);
  if (found) return found;
  const one = branch.one;
  const deeper = one && find(one.branch, others, { [one.name]: decodeURIComponent(segment), ...params });
  if (deeper) return deeper;
  const rest = branch.rest;
  return rest && { ...rest.route, params: { ...params, [rest.name]: segments.map(decodeURIComponent) } };
}
