import { apiError } from "./errors";

interface Selection {
  [name: string]: Selection | true;
}

/**
 * Query parameter `fields`: the parts of a response that are sent, as "a,b(c,d),e/f" ("Performance tips", partial
 * responses). 400 for what is no selection.
 */
export function partOf(body: object, fields: string | null): object {
  if (fields === null) return body;
  return chosen(body, parsed(fields)) as object;
}

function chosen(value: unknown, selection: Selection | true): unknown {
  if (selection === true || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => chosen(one, selection));
  if (selection["*"] !== undefined) return value;
  const kept = Object.entries(value).flatMap(([name, inner]) => {
    const wanted = selection[name];
    return wanted === undefined ? [] : [[name, chosen(inner, wanted)]];
  });
  return Object.fromEntries(kept);
}

function parsed(text: string): Selection {
  let at = 0;
  const list = (): Selection => {
    const found: Selection = {};
    for (;;) {
      Object.assign(found, one());
      if (text[at] !== ",") return found;
      at += 1;
    }
  };
  const one = (): Selection => {
    const [name] = /^(\w+|\*)/.exec(text.slice(at)) ?? [];
    if (name === undefined) throw badFields(text);
    at += name.length;
    if (text[at] === "/") {
      at += 1;
      return { [name]: one() };
    }
    if (text[at] !== "(") return { [name]: true };
    at += 1;
    const inner = list();
    if (text[at] !== ")") throw badFields(text);
    at += 1;
    return { [name]: inner };
  };
  const selection = list();
  if (at < text.length) throw badFields(text);
  return selection;
}

const badFields = (text: string) =>
  apiError({
    status: 400,
    reason: "invalidParameter",
    message: `Invalid field selection ${text}`,
    location: { type: "parameter", name: "fields" },
  });
