import { format, stripVTControlCharacters } from "node:util";
import { log } from "@/server/log";

const PASSES = /^busy;/;
const LONGEST = 500;

/** Makes what Next prints about errors lines of the operators' log from now on. Of one that passes the response says all there is to say. */
export function logNext(printer: Pick<Console, "error" | "warn"> = console): void {
  Object.assign(printer, { error: logged("error"), warn: logged("warn") });
}

function logged(level: "error" | "warn") {
  return (...said: unknown[]) => {
    const error = said.find((one): one is Error & { digest?: unknown } => one instanceof Error);
    if (PASSES.test(String(error?.digest))) return;
    const logger = log({ module: "next" });
    if (error) logger[level]({ err: error, digest: error.digest }, "a page failed");
    else
      logger[level](
        stripVTControlCharacters(format(...said))
          .trim()
          .slice(0, LONGEST),
      );
  };
}
