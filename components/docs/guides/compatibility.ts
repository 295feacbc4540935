import type { Guide } from "@/components/docs/guide";
import { introductionPart } from "@/components/docs/introduction";
import type { OpenApiDocument, Schema } from "@/server/http/openapi/document-shape";

/** What compatibility mode changes, in the document's words. */
export function compatibilityGuide(document: OpenApiDocument): Guide {
  return {
    name: "Compatibility",
    path: "/docs/compatibility",
    title: "Compatibility mode",
    lead: "Cronofy-compatible responses and signatures, for applications built with a Cronofy SDK. Your Almanac administrator turns the mode on for each application in the dashboard.",
    sections: [
      {
        id: "differences",
        title: "Differences",
        blocks: introductionPart(document, "Compatibility mode").split("\n\n"),
      },
      {
        id: "names",
        title: "Names",
        blocks: [
          [
            "| Where | Standard | Compatibility mode |",
            "|---|---|---|",
            ...userinfoKeys(document).map(([own, other]) => `| Userinfo | \`${own}\` | \`${other}\` |`),
            "| Notification | `Svc-Signature` | not sent |",
            ...headers(document).map((name) => `| Notification | | \`${name}\`, same value as \`Svc-HMAC-SHA256\` |`),
            ...revocation(document).map((name) => `| Revocation | \`token\` | \`${name}\` accepted instead |`),
          ].join("\n"),
        ],
      },
      {
        id: "same",
        title: "What stays the same",
        blocks: [
          "Paths, fields, status codes, limits and the order of validation don't change. `Svc-Request-Id` and `Svc-HMAC-SHA256` are sent in both modes. Fields Almanac doesn't support, such as reminders and colors, are accepted and ignored.",
        ],
      },
      {
        id: "move",
        title: "Migrate from Cronofy",
        blocks: [
          [
            "1. Ask your Almanac administrator to register your application in compatibility mode, with your redirect URIs.",
            "2. Point your SDK at Almanac: set the API URL and the URL of the connect page.",
            "3. Ask your users to reconnect. Tokens can't be moved between services.",
            "4. Once your code matches on `key` and verifies `Svc-Signature`, turn the mode off.",
          ].join("\n"),
        ],
      },
    ],
  };
}

function properties(schema: Schema | undefined): string[] {
  return Object.keys(schema?.properties ?? {});
}

/** Userinfo's keys that have another name in this mode, in pairs. */
function userinfoKeys({ components }: OpenApiDocument): [string, string][] {
  const other = properties(components.schemas.CompatibilityUserinfo);
  const own = properties(components.schemas.Userinfo);
  return own.flatMap((name, index): [string, string][] => {
    const theirs = other[index];
    return theirs && theirs !== name ? [[name, theirs]] : [];
  });
}

function headers({ webhooks }: OpenApiDocument): string[] {
  const parameters = webhooks.notification?.post?.parameters ?? [];
  return parameters.filter(({ description }) => description?.startsWith("Compatibility mode")).map(({ name }) => name);
}

function revocation({ components }: OpenApiDocument): string[] {
  return Object.entries(components.schemas.RevokeRequest.properties ?? {})
    .filter(([, { description }]) => description?.startsWith("Compatibility mode"))
    .map(([name]) => name);
}
