/** A page's address with one thing in its query: what the list shows, or what is open. */
export function narrowed(path: string, name: string, value: string): string {
  return `${path}?${new URLSearchParams({ [name]: value })}`;
}
