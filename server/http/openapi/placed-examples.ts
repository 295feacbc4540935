import type { ExampleObject } from "@/server/http/openapi/document-shape";
import type { Example } from "@/server/http/openapi/examples/example";
import responses from "@/server/http/openapi/examples/responses.json";
import { scenario } from "@/server/http/openapi/examples/scenario";
import { type Wording, worded } from "@/server/http/openapi/wording";

const recorded: Record<string, unknown> = responses;

interface Placed {
  examples?: Record<string, ExampleObject>;
  "x-mistakes"?: Record<string, ExampleObject>;
}

/**
 * Places the examples of an operation where the document wants them, and nothing where there are none. Requests that
 * the document does not allow stand apart, so that whoever checks examples against their schemas finds no fault.
 */
export function examplesOf(operation: string, wording: Wording) {
  const own = scenario.filter((example) => example.operation === operation);
  const place = (pick: (example: Example) => unknown, key?: string) => (from: readonly Example[]) => {
    const found = from.flatMap((example) => {
      const value = worded(pick(example), wording, key);
      return value === undefined ? [] : [[example.name, { summary: example.summary, value }] as const];
    });
    return found.length === 0 ? null : Object.fromEntries<ExampleObject>(found);
  };
  const sent = (pick: (example: Example) => unknown, key?: string): Placed => {
    const right = place(pick, key)(own.filter(({ isMistake }) => !isMistake));
    const wrong = place(pick, key)(own.filter(({ isMistake }) => isMistake));
    return { ...(right && { examples: right }), ...(wrong && { "x-mistakes": wrong }) };
  };
  return {
    bodies: (form: boolean) => sent((example) => (Boolean(example.form) === form ? example.body : undefined)),
    pathParameter: (name: string) => sent(({ path }) => path?.[name]),
    queryParameter: (name: string) => sent(({ query }) => query?.[name], name),
    headerParameter: (name: string) => sent(({ headers }) => headers?.[name]),
    responses: (status: number): Placed => {
      const pick = (example: Example) =>
        example.status === status ? recorded[`${operation}/${example.name}`] : undefined;
      const examples = place(pick)(own);
      return examples ? { examples } : {};
    },
  };
}
