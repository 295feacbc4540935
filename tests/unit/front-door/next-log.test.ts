import pino from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import { context } from "@/server/context";
import { logNext } from "@/server/front-door/next-log";
import { errorFacts } from "@/server/log";

const former = context.log;
const printer: Pick<Console, "error" | "warn"> = { error() {}, warn() {} };
let lines: object[] = [];

beforeEach(() => {
  lines = [];
  const options = { base: null, serializers: { err: errorFacts } };
  context.log = pino(options, { write: (line) => lines.push(JSON.parse(line)) });
  logNext(printer);
});
afterEach(() => {
  context.log = former;
});

it("what Next prints of an error is a line of the log, with the digest that the page shows", () => {
  printer.error("\u001b[31m⨯\u001b[39m", Object.assign(new Error("broken"), { digest: "123" }));
  expect(lines).toMatchObject([{ module: "next", msg: "a page failed", digest: "123", err: { message: "broken" } }]);
});

it("anything else that it prints is a line without its colors", () => {
  printer.warn("\u001b[33m!\u001b[39m", "The option is old.");
  expect(lines).toMatchObject([{ module: "next", msg: "! The option is old." }]);
});

it("an error that passes is no line: every page that needs the database would print one", () => {
  printer.error("⨯", Object.assign(new Error("away"), { digest: "busy;5" }));
  expect(lines).toEqual([]);
});
