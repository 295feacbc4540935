import { maxAliasesPlugin } from "@escape.tech/graphql-armor-max-aliases";
import { maxDepthPlugin } from "@escape.tech/graphql-armor-max-depth";
import { createYoga, type Plugin } from "graphql-yoga";
import { graphqlContext } from "@/server/graphql/context";
import type { Caller } from "@/server/graphql/refusal-error";
import { schema } from "@/server/graphql/schema";
import { log } from "@/server/log";

export const GRAPHQL_PATH = "/api/graphql";
const MOST_ALIASES = 15;
const MOST_TOKENS = 1_000;
const DEEPEST = 8;
const LARGEST_BODY = 64 * 1024;

/** The limits of an operation, checked before any of it runs. graphql itself limits introspection. */
const limits = [
  maxDepthPlugin({ n: DEEPEST, flattenFragments: true }),
  maxAliasesPlugin({ n: MOST_ALIASES, allowList: [] }),
  {
    onParse: ({ parseFn, setParseFn }) =>
      setParseFn((source, options) => parseFn(source, { ...options, maxTokens: MOST_TOKENS })),
  },
] satisfies Plugin[];

const silent = () => undefined;

/** Runs operations as the operator in the context. */
export const yoga = createYoga<Caller & Record<string, unknown>>({
  schema,
  graphqlEndpoint: GRAPHQL_PATH,
  context: graphqlContext,
  plugins: limits,
  maxRequestBodySize: LARGEST_BODY,
  batching: false,
  multipart: false,
  cors: false,
  // The built-in page would load for anyone: graphiql.ts has ours.
  graphiql: false,
  landingPage: false,
  maskedErrors: { isDev: false, errorMessage: "Something failed on our side." },
  logging: { debug: silent, info: silent, warn: silent, error: (err) => log({ module: "graphql" }).error({ err }) },
  fetchAPI: { Response },
});
