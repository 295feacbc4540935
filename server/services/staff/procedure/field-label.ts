/** Labels for names that are not words, or that the dashboard words differently. */
const labels: Record<string, string> = {
  after: "Page cursor",
  email: "Email",
  next: "New password",
  q: "Search",
  redirectUris: "Redirect URI",
  uri: "Redirect URI",
};
/** Lists whose entries are numbered; the others are sets of choices. */
const numbered = new Set(["redirectUris"]);

/**
 * Returns the label of a procedure's input field: `Error key` for errorKey, `Redirect URI 2` for redirectUris[1],
 * `State` for filters.state[0].
 */
export function fieldLabel(path: readonly PropertyKey[]): string {
  const name = path.findLast((part) => typeof part === "string") ?? "";
  const last = path.at(-1);
  if (typeof last === "number" && numbered.has(name)) return `${labelOf(name)} ${last + 1}`;
  return labelOf(name) || "Input";
}

function labelOf(name: string): string {
  const label = Object.hasOwn(labels, name) ? labels[name] : undefined;
  if (label !== undefined) return label;
  const words = name
    .replace(/(?<=.)Id$/, "")
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
