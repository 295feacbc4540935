import { table } from "@/components/docs/written/parts";
import type { OpenApiDocument, Schema } from "@/server/http/openapi/document-shape";

/** Lists what has another name in compatibility mode. */
export function otherNames(document: OpenApiDocument): string {
  return table({
    head: ["Where", "Standard", "Compatibility mode"],
    rows: [
      ...userinfoKeys(document).map(([own, other]) => ["Userinfo", `\`${own}\``, `\`${other}\``]),
      ["Notification", "`Svc-Signature`", "not sent"],
      ...headers(document).map((name) => ["Notification", "", `\`${name}\`, same value as \`Svc-HMAC-SHA256\``]),
      ...revocation(document).map((name) => ["Revocation", "`token`", `\`${name}\` accepted instead`]),
    ],
  });
}

function properties(schema: Schema | undefined): string[] {
  return Object.keys(schema?.properties ?? {});
}

/** Lists userinfo's keys that have another name in this mode, in pairs. */
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
