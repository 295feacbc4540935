import pg from "pg";
import { onTestFinished } from "vitest";
import { processServices } from "@/server/http/process-services";

/** What is sent beside requests: rows of the request log, from time to time. */
const inBackground = /\brequest_\w+/;

/** The statements of a request by their names, or what they are without one. */
export async function statementsOf(request: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = [];
  const { query } = pg.Client.prototype;
  const restore = () => void Object.assign(pg.Client.prototype, { query });
  onTestFinished(restore);
  Object.assign(pg.Client.prototype, {
    query(this: pg.Client, given: string | { name?: string; text: string }, ...more: never[]) {
      const { name, text } = typeof given === "string" ? { text: given } : given;
      if (!inBackground.test(text)) sent.push(name ?? text);
      return Reflect.apply(query, this, [given, ...more]);
    },
  });
  // Its first batch makes partitions.
  await processServices().requestLog.flush(10_000);
  sent.length = 0;
  await request();
  restore();
  return sent;
}
