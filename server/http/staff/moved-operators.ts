const SETTINGS = "/dashboard/settings";

/** Where each page under `/dashboard/operators` is now. Anything else there was the ID of an operator. */
const moved: Readonly<Record<string, string>> = { me: "profile", audit: "audit", alerts: "alerts" };

interface OldAddress {
  params: Promise<{ rest?: string[] }>;
}

/** Redirects an old address under `/dashboard/operators` for good, with its query, to its place in the settings. */
export async function movedOperators(request: Request, { params }: OldAddress): Promise<Response> {
  const [page, ...more] = (await params).rest ?? [];
  const query = new URL(request.url).searchParams;
  const location = more.length > 0 ? unknown([page ?? "", ...more]) : newPath(page, query);
  return new Response(null, { status: 308, headers: { location: query.size > 0 ? `${location}?${query}` : location } });
}

function newPath(page: string | undefined, query: URLSearchParams): string {
  if (page === undefined) return `${SETTINGS}/team`;
  if (Object.hasOwn(moved, page)) return `${SETTINGS}/${moved[page]}`;
  query.set("open", page);
  return `${SETTINGS}/team`;
}

/** Returns the path of a page that has never existed, which says so. */
function unknown(path: readonly string[]): string {
  return [SETTINGS, ...path.map(encodeURIComponent)].join("/");
}
