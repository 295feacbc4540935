/** The page of an endpoint, by the ID of its channel. */
export function endpointPath(id: string): string {
  return `/dashboard/endpoints/${encodeURIComponent(id)}`;
}
