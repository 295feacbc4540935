import {
  decidingRow,
  type RequestKind,
  type Verdict,
  type VerdictRow,
} from "@/server/domain/provider-responses/verdicts";
import { ProviderError } from "@/server/providers/connector";

/** A response with which a provider is to refuse a request. */
export interface Sample {
  status: number;
  /** Null: it is not the provider's. */
  word: string | null;
}

export interface VerdictCase<Kind extends string> {
  kind: Kind;
  row: VerdictRow;
  /** Each of which the row decides. */
  samples: Sample[];
}

/** Once every word of a row was tried for one kind of request, a few are enough for the others. */
const FEW = 2;

/** The rows of a table, each with every kind of request that a provider has, and a response for every status and word. */
export function verdictCases<Kind extends RequestKind>(
  rows: readonly VerdictRow[],
  kinds: readonly Kind[],
): VerdictCase<Kind>[] {
  return rows.flatMap((row) => {
    const decided = kinds.flatMap((kind) => {
      if (!row.requests.includes(kind)) return [];
      const samples = samplesOf(row).filter((sample) => isDecidedBy(rows, row, { kind, ...sample }));
      return samples.length > 0 ? [{ kind, row, samples }] : [];
    });
    return decided.map((one, i) => (i === 0 ? one : { ...one, samples: one.samples.slice(0, FEW) }));
  });
}

function samplesOf({ statuses, words }: VerdictRow): Sample[] {
  const numbers = (statuses ?? [403, 500]).flatMap((one) =>
    one === "4xx" ? [400, 401, 403, 404] : one === "5xx" ? [502] : [one],
  );
  const said = words === null ? [null] : words === "own" ? ["somethingElse"] : words;
  return numbers.flatMap((status) => said.map((word) => ({ status, word })));
}

function isDecidedBy(
  rows: readonly VerdictRow[],
  row: VerdictRow,
  { kind: request, status, word }: Sample & { kind: RequestKind },
): boolean {
  const words = word === null ? [] : [word];
  const isProven = row.until !== "proven";
  const first = decidingRow(rows, { request, status, words, isProven });
  if (row.until === "renewed" || first?.verdict !== "replace_token") return first === row;
  return decidingRow(rows, { request, status, words, isProven, isRenewed: true }) === row;
}

/** What comes of a request: what it gives, or the fault that it ends with. */
export async function outcomeOf(work: () => Promise<unknown>): Promise<string> {
  try {
    const result = await work();
    if (typeof result !== "object" || result === null) return "fine";
    if ("kind" in result && result.kind === "refused") return "undone";
    if ("problem" in result) return "for the user";
    if (!("refusedFor" in result)) return "fine";
    return result.refusedFor === null ? "never watched" : "not watched";
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const { fault } = error;
    return fault.kind === "throttled" ? `throttled ${fault.scope}` : fault.kind;
  }
}

/** What comes of a verdict where nothing else is said of the kind of request. */
export const usual: Readonly<Record<Verdict, string>> = {
  reconnect: "credentials_rejected",
  replace_token: "fine",
  misconfigured: "misconfigured",
  no_mailbox: "no_mailbox",
  undo: "undone",
  skip: "refused",
  wait_mailbox: "throttled mailbox",
  wait_service: "throttled application",
  retry: "down",
  read_all: "sync_token_expired",
  gone: "gone",
  changed: "conflict",
  exists: "fine",
  done: "fine",
  no_watch: "not watched",
  never_watched: "never watched",
};
