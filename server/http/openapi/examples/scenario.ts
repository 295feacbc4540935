import { connectExamples } from "@/server/http/openapi/examples/connect";
import { eventExamples } from "@/server/http/openapi/examples/events";
import type { Example } from "@/server/http/openapi/examples/example";
import { readExamples } from "@/server/http/openapi/examples/reads";
import { refusedSandboxExamples, sandboxExamples } from "@/server/http/openapi/examples/sandbox";

/** Every example of the document, in the order in which tests/api/openapi/examples.test.ts sends them. */
export const scenario: readonly Example[] = [
  ...connectExamples,
  ...eventExamples,
  ...refusedSandboxExamples,
  ...readExamples,
  ...sandboxExamples,
];
