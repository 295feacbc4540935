import type { ExampleObject } from "@/server/http/openapi/document-shape";
import type { Example } from "@/server/http/openapi/examples/example";
import responses from "@/server/http/openapi/examples/responses.json";
import { scenario } from "@/server/http/openapi/examples/scenario";
import { type Wording, worded } from "@/server/http/openapi/wording";

const recorded: Record<string, unknown> = responses;

/** The examples of an operation where the document wants them: nothing where there are none. */
export function examplesOf(operation: string, wording: Wording) {
  const own = scenario.filter((example) => example.operation === operation);
  const place = (pick: (example: Example) => unknown, key?: string) => {
    const found = own.flatMap((example) => {
      const value = worded(pick(example), wording, key);
      return value === undefined ? [] : [[example.name, { summary: example.summary, value }] as const];
    });
    return found.length === 0 ? {} : { examples: Object.fromEntries<ExampleObject>(found) };
  };
  return {
    bodies: (form: boolean) => place((example) => (Boolean(example.form) === form ? example.body : undefined)),
    pathParameter: (name: string) => place(({ path }) => path?.[name]),
    queryParameter: (name: string) => place(({ query }) => query?.[name], name),
    responses: (status: number) =>
      place((example) => (example.status === status ? recorded[`${operation}/${example.name}`] : undefined)),
  };
}
