import { callOf, signature } from "./inngest-server";

type Handler = (request: Request) => Promise<Response>;

/** Where a run is after its calls: over, with what the function returned or threw, or asleep for so long. */
export type RunState =
  | { state: "done"; output: unknown }
  | { state: "failed"; error?: string }
  | { state: "asleep"; time: string };

export interface PlayedRun {
  /** The results of the steps that are done, in their order. */
  steps(): unknown[];
  /** Calls the function step by step until the run is over or asleep. A sleep that there was is over then. */
  goOn(): Promise<RunState>;
}

/** A run as an Inngest server drives it: by signed calls of the SDK's handler, each with the steps that are done. */
export function playRun(
  handler: Handler,
  { url, key, functionId, event }: { url: string; key: string; functionId: string; event: object },
): PlayedRun {
  const done = new Map<string, unknown>();
  const call = async () => {
    const body = callOf({ id: "01", ts: Date.now(), ...event }, done);
    const headers = { "content-type": "application/json", "x-inngest-signature": signature(body, key) };
    const target = `${url}?fnId=${functionId}&stepId=step`;
    const init = { method: "POST", headers: { ...headers, host: new URL(url).host }, body: JSON.stringify(body) };
    return await handler(new Request(target, init));
  };
  return {
    steps: () => [...done.values()].filter((data) => data !== null),
    async goOn() {
      for (;;) {
        const response = await call();
        const answer = await response.json();
        if (response.status === 200) return { state: "done", output: answer };
        if (response.status !== 206)
          return { state: "failed", error: String((answer as { message?: unknown }).message) };
        for (const { op, id, name, data } of answer as { op: string; id: string; name: string; data: unknown }[]) {
          if (op === "Sleep") {
            done.set(id, null);
            return { state: "asleep", time: name };
          }
          if (op !== "StepRun") return { state: "failed" };
          done.set(id, data);
        }
      }
    },
  };
}
