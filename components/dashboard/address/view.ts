/** The parameter of a page's query that names the open view. */
export const VIEW = "view";

/** Names a view among other things. */
export function viewLabel({ name }: { name: string }): string {
  return `View: ${name}`;
}

/** Returns the path that leads to the page of a view, with its filters. */
export function viewPath(id: string): string {
  return `/dashboard/views/${encodeURIComponent(id)}`;
}
