import type { Guide } from "@/components/docs/guide";
import { introductionPart } from "@/components/docs/introduction";
import type { OpenApiDocument, Schema } from "@/server/http/openapi/document-shape";

/** What compatibility mode changes, in the document's words. */
export function compatibilityGuide(document: OpenApiDocument): Guide {
  const part = introductionPart(document, "Compatibility mode");
  const [beginning = "", list = ""] = part.split(/: (.*)/s);
  const differences = list.replace(/\.$/, "").split("; ");
  return {
    name: "Compatibility",
    path: "/docs/compatibility",
    title: "Compatibility mode",
    lead: "For applications that were written for another vendor's calendar API. Staff turn it on for an application on the dashboard; it changes words, not calendars.",
    sections: [
      {
        id: "differences",
        title: "What is different",
        blocks: [`${beginning}.`, differences.map((each) => `- ${sentence(each)}`).join("\n")],
      },
      {
        id: "names",
        title: "Names",
        blocks: [
          [
            "| Where | Otherwise | In this mode |",
            "|---|---|---|",
            ...userinfoKeys(document).map(([own, other]) => `| Userinfo | \`${own}\` | \`${other}\` |`),
            "| Notification | `Svc-Signature` | not sent |",
            ...headers(document).map((name) => `| Notification | | \`${name}\`, the same as \`Svc-HMAC-SHA256\` |`),
            ...revocation(document).map((name) => `| Revocation | \`token\` | \`${name}\` in its place |`),
          ].join("\n"),
        ],
      },
      {
        id: "same",
        title: "What stays",
        blocks: [
          "Paths, fields, statuses, limits and the order of checks are the same. `Svc-Request-Id` and `Svc-HMAC-SHA256` are sent in either mode. Fields that the API does not have, such as reminders and colours, are accepted and ignored.",
        ],
      },
      {
        id: "move",
        title: "Move over",
        blocks: [
          [
            "1. Point the SDK at this service: its API address and the address of its connect page.",
            "2. Have an application registered in compatibility mode with your redirect URIs.",
            "3. Send people to connect again. Tokens do not move from one service to another.",
            "4. Once you match on `key` and verify `Svc-Signature`, have the mode turned off.",
          ].join("\n"),
        ],
      },
    ],
  };
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
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
