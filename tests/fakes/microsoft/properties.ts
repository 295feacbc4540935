import { badRequest } from "./errors";

type Property = { id: string; value: string };

/** Page "Outlook extended properties overview": {type} {guid} Name {name}, {type} {guid} Id {id}, or {type} {proptag}. */
const FORM =
  /^(String|Boolean|Integer|Double|SystemTime|Long|Binary|CLSID|Currency|Float|Short|ApplicationTime) (\{[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\} (Name .+|Id 0x[0-9a-f]+)|0x[0-9a-f]+)$/i;

const badId = () => badRequest("ErrorInvalidProperty", "The PropertyId is invalid.");

/** The extended properties of a write; those that a write does not name stay [K]. */
export function propertiesAfter(before: ReadonlyMap<string, string>, given: unknown): Map<string, string> {
  const after = new Map(before);
  if (given === undefined || given === null) return after;
  if (!Array.isArray(given))
    throw badRequest("RequestBodyRead", "The property 'singleValueExtendedProperties' has to be a collection.");
  for (const { id, value } of given as Partial<Property>[]) {
    if (typeof id !== "string" || !FORM.test(id)) throw badId();
    if (value === null) after.delete(keyOf(after, id));
    else after.set(keyOf(after, id), String(value));
  }
  return after;
}

/** "Filtering the string name (Name) in the id of an extended property is case-sensitive"; the GUID is not [K]. */
function keyOf(properties: ReadonlyMap<string, string>, id: string): string {
  return [...properties.keys()].find((one) => sameId(one, id)) ?? id;
}

export function sameId(one: string, other: string): boolean {
  const folded = (id: string) => id.replace(/\{[^}]*\}|^\w+/g, (part) => part.toLowerCase());
  return folded(one) === folded(other);
}

/** The properties that $expand=singleValueExtendedProperties($filter=id eq '…') names; undefined if the client does not ask. */
export function expandedIds(expand: string | null): string[] | undefined {
  const [, filter] =
    /singleValueExtendedProperties(?:\(\$filter=((?:[^()']|'(?:[^']|'')*')*)\))?/i.exec(expand ?? "") ?? [];
  if (!/singleValueExtendedProperties/i.test(expand ?? "")) return undefined;
  const ids = [...(filter ?? "").matchAll(/id eq '((?:[^']|'')*)'/gi)].map(([, id = ""]) => id.replaceAll("''", "'"));
  // "Use a $filter and eq operator on the id property to specify the extended property. This is currently the only way".
  if (ids.length === 0) {
    throw badRequest(
      "ErrorInvalidExpand",
      "Expanding singleValueExtendedProperties requires a $filter on the id of the property.",
    );
  }
  return ids;
}

/** The properties of these ids, as responses show them; undefined if there is none, for then the field is absent. */
export function shownProperties(properties: ReadonlyMap<string, string>, ids: string[]): Property[] | undefined {
  const found = [...properties].filter(([id]) => ids.some((wanted) => sameId(wanted, id)));
  return found.length > 0 ? found.map(([id, value]) => ({ id, value })) : undefined;
}
