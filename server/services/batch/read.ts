import { type BatchEntry, batchBody } from "@/server/services/batch/shape";
import { inputOf, rawInput } from "@/server/services/input";
import { accountProcedure } from "@/server/services/trpc";

const body = inputOf(batchBody);

/** Leaves out what each request says: a fault in it is that request's alone. */
const input = rawInput((raw) => {
  const sent = (raw as { batch?: unknown }).batch;
  if (!Array.isArray(sent)) return body(raw).batch;
  const { batch } = body({ batch: sent.map(withoutData) });
  return batch.map((entry, i): BatchEntry => ({ ...entry, data: sent[i].data ?? undefined }));
});

function withoutData(entry: unknown): unknown {
  if (typeof entry !== "object" || entry === null || Array.isArray(entry)) return entry;
  return { ...entry, data: undefined };
}

/**
 * Reads the requests of a batch (POST /v1/batch), which are carried out by the procedures of their own. Refuses with 422
 * for the batch; what a single one asks for is judged in its turn.
 */
export const readBatch = accountProcedure.input(input).query(({ input }) => input);
