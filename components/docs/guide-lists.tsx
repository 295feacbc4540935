import type { ReactNode } from "react";
import { CodeSample } from "@/components/docs/code-sample";
import { ErrorKeys, errorEntries } from "@/components/docs/error-keys";
import type { BlockList, Guide } from "@/components/docs/guide";
import { Rates, rates } from "@/components/docs/rates";
import { Sizes, sizes } from "@/components/docs/sizes";
import { pieces, table, written } from "@/components/docs/written/parts";
import { receiverCode, webhookCode } from "@/server/http/docs/webhook-code";
import type { OpenApiDocument } from "@/server/http/openapi/document-shape";
import { ACCOUNT, APPLICATION } from "@/server/http/rate-limit/buckets";

const buckets = { application: APPLICATION, account: ACCOUNT };

type ListName = BlockList["list"];
type Of<T> = Record<ListName, (document: OpenApiDocument) => T | Promise<T>>;

/** Renders the lists of guides. */
const drawn: Of<ReactNode> = {
  "error keys": (document) => <ErrorKeys document={document} />,
  rates: () => <Rates {...buckets} />,
  sizes: (document) => <Sizes document={document} />,
  "webhook code": async () => (
    <CodeSample id="verify-code" name="Verify a webhook" variants={await webhookCode()} isTall />
  ),
  "receiver code": async () => (
    <CodeSample id="receiver" name="A receiver that verifies" variants={await receiverCode()} isTall />
  ),
};

/** Writes the same lists as Markdown. */
const asText: Of<string> = {
  "error keys": (document) => pieces(...errorEntries(document).map(errorText)),
  rates: () => table(rates(buckets)),
  sizes: (document) => table(sizes(document)),
  "webhook code": async () => pieces(...(await webhookCode()).map(written)),
  "receiver code": async () => pieces(...(await receiverCode()).map(written)),
};

export async function drawnLists(
  document: OpenApiDocument,
  guide: Guide,
): Promise<Partial<Record<ListName, ReactNode>>> {
  return await ofGuide(guide, (name) => drawn[name](document));
}

export async function writtenLists(
  document: OpenApiDocument,
  guide: Guide,
): Promise<Partial<Record<ListName, string>>> {
  return await ofGuide(guide, (name) => asText[name](document));
}

async function ofGuide<T>({ sections }: Guide, make: (name: ListName) => T | Promise<T>) {
  const names = sections
    .flatMap(({ blocks }) => blocks)
    .flatMap((b) => (typeof b === "object" && "list" in b ? b.list : []));
  const made = await Promise.all(names.map(async (name) => [name, await make(name)] as const));
  return Object.fromEntries(made) as Partial<Record<ListName, T>>;
}

function errorText({ key, means, advice, rows }: ReturnType<typeof errorEntries>[number]): string {
  const cases = rows.length > 0 && table({ head: ["Route", "Field", "When"], rows });
  return pieces(`### \`${key}\``, means, advice, cases);
}
