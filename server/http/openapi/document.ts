import { SCOPE } from "@/server/domain/grants";
import { errorKeys } from "@/server/http/error-keys";
import { limits } from "@/server/http/limits";
import type { OpenApiDocument, OperationObject, PathItem } from "@/server/http/openapi/document-shape";
import { headers } from "@/server/http/openapi/headers";
import { notificationWebhook } from "@/server/http/openapi/notification";
import { parameters } from "@/server/http/openapi/parameters";
import { examplesOf } from "@/server/http/openapi/placed-examples";
import { introduction, SANDBOX_OFF } from "@/server/http/openapi/prose";
import { offeredProviders, reach } from "@/server/http/openapi/providers";
import { responses } from "@/server/http/openapi/responses";
import { jsonSchemas, reference } from "@/server/http/openapi/schemas";
import type { Wording } from "@/server/http/openapi/wording";
import { operations } from "@/server/http/routes/all";
import { type Operation, tags } from "@/server/http/routes/route";

/** Components that are there only to become query parameters. */
const queries = [
  ...["AuthorizeQuery", "FreeBusyQuery", "EventsQuery", "CursorQuery", "ChangesQuery", "WritesQuery"],
  ...["NamedEventQuery", "ChangedEventQuery"],
];

/**
 * Builds the OpenAPI 3.1 document of the public API: schemas from those that validate, examples from what the server
 * answered to a test.
 */
export function openApiDocument(wording: Wording): OpenApiDocument {
  const schemas = jsonSchemas(wording);
  const providers = offeredProviders(wording);
  const paths: Record<string, PathItem> = {};
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method]: operationObject(operation, schemas, wording),
    };
  }
  const shown = Object.entries(schemas).filter(([name]) => !queries.includes(name));
  return {
    openapi: "3.1.1",
    info: {
      title: "Almanac API",
      version: "1",
      summary: `One API over ${reach(providers)}.`,
      description: introduction(providers, wording),
      contact: { name: "Documentation", url: `${wording.appUrl}/docs` },
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    jsonSchemaDialect: "https://spec.openapis.org/oas/3.1/dialect/base",
    servers: [{ url: wording.baseUrl, description: "The API" }],
    tags: [...tags],
    paths,
    webhooks: { notification: { post: notificationWebhook(wording) } },
    components: {
      schemas: Object.fromEntries(shown) as OpenApiDocument["components"]["schemas"],
      headers,
      securitySchemes: {
        accessToken: {
          type: "http",
          scheme: "bearer",
          description: `An access token (\`at_…\`), valid for ${limits.accessToken}.`,
        },
        applicationSecret: {
          type: "http",
          scheme: "bearer",
          description: `The client secret alone, where it has at least ${limits.secretAlone} characters and is no other application's.`,
        },
        oauth2: oauth2(wording),
        clientCredentials: {
          type: "http",
          scheme: "basic",
          description:
            "Client id and client secret, each percent-encoded (RFC 6749, section 2.3.1). You can send `client_id` and `client_secret` in the body instead.",
        },
      },
    },
    "x-error-keys": errorKeys,
    "x-providers": providers,
    ...(wording.isSandboxOff && { "x-sandbox": "off" as const }),
  };
}

function oauth2({ appUrl, baseUrl }: Wording) {
  const tokenUrl = `${baseUrl}/oauth/token`;
  const scopes = { [SCOPE]: "Full access to the API. The only scope." };
  return {
    type: "oauth2",
    description: "Send the client id and client secret in the body of the token request, or as HTTP Basic.",
    flows: {
      authorizationCode: { authorizationUrl: `${appUrl}/oauth/authorize`, tokenUrl, refreshUrl: tokenUrl, scopes },
    },
  };
}

const security: Record<Operation["credential"], OperationObject["security"]> = {
  bearer: [{ accessToken: [] }, { oauth2: [SCOPE] }],
  /** The second: credentials in the body. */
  client: [{ clientCredentials: [] }, {}],
  either: [{ accessToken: [] }, { oauth2: [SCOPE] }, { clientCredentials: [] }, { applicationSecret: [] }],
  none: [],
};

function operationObject(
  operation: Operation,
  schemas: ReturnType<typeof jsonSchemas>,
  wording: Wording,
): OperationObject {
  const { id, tag, summary, description, credential, inBrowser, body } = operation;
  const all = parameters(operation, schemas, wording);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: tag === "Sandbox" && wording.isSandboxOff ? `${SANDBOX_OFF}\n\n${description}` : description,
    ...(inBrowser && { servers: [{ url: wording.appUrl }] }),
    security: security[credential],
    ...(all.length > 0 && { parameters: all }),
    ...(body && { requestBody: requestBody(id, body, wording) }),
    responses: responses(operation, wording),
  };
}

function requestBody(
  id: string,
  { schema, form, fromQuery }: NonNullable<Operation["body"]>,
  wording: Wording,
): OperationObject["requestBody"] {
  const placed = examplesOf(id, wording);
  const content = { schema: { $ref: reference(schema) } };
  return {
    required: !fromQuery?.({}),
    content: {
      "application/json": { ...content, ...placed.bodies(false) },
      ...(form && { "application/x-www-form-urlencoded": { ...content, ...placed.bodies(true) } }),
    },
  };
}
