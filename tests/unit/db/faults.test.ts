import { describe, expect, it } from "vitest";
import { connect } from "@/server/db/client";
import { type DatabaseFault, databaseFault, isDatabaseTrouble, isPassing, isRefusedData } from "@/server/db/faults";
import { Prisma } from "@/server/db/generated/client";
import { OutcomeUnknown } from "@/server/db/lost-connection";

const said = (code: string) => Object.assign(new Error("a sentence"), { severity: "ERROR", code });
const coded = (code: string) => Object.assign(new Error("a sentence"), { code });
const waited = () => new Error("timeout exceeded when trying to connect");
const ofPrisma = (driverAdapterError: Error) =>
  new Prisma.PrismaClientKnownRequestError("x", { code: "P2010", clientVersion: "7", meta: { driverAdapterError } });

type Kind = "refused data" | "passing" | "trouble" | "not the database";

const cases: [string, unknown, DatabaseFault | null, Kind][] = [
  ["a text that is no number", said("22P02"), "invalid_value", "refused data"],
  ["a zero byte in JSON", coded("22P05"), "invalid_value", "refused data"],
  ["a row that is there already", said("23505"), "unique_violation", "refused data"],
  ["a row that breaks a rule, or has no partition", said("23514"), "check_violation", "refused data"],
  ["a row whose parent is gone", said("23503"), "constraint_violation", "refused data"],
  ["a row that is too large for its index", said("54000"), "limit_exceeded", "refused data"],
  ["a serialization failure", said("40001"), "collision", "passing"],
  ["a deadlock", said("40P01"), "collision", "passing"],
  ["a statement timeout", said("57014"), "timeout", "passing"],
  ["a lock timeout", said("55P03"), "timeout", "passing"],
  ["no answer in time", new Error("Query read timeout"), "timeout", "passing"],
  ["no connection left", said("53300"), "no_connection_left", "passing"],
  ["a wait for the pool", waited(), "no_connection_left", "passing"],
  [
    "a connection that took too long",
    new Error("Connection terminated due to connection timeout"),
    "no_connection_left",
    "passing",
  ],
  ["a server that shuts down", said("57P01"), "connection_lost", "passing"],
  ["a connection that PostgreSQL calls broken", said("08006"), "connection_lost", "passing"],
  ["a connection that ended", new Error("Connection terminated unexpectedly"), "connection_lost", "passing"],
  [
    "a connection that had ended before",
    new Error("Client has encountered a connection error and is not queryable"),
    "connection_lost",
    "passing",
  ],
  ["a server that is not there", coded("ECONNREFUSED"), "connection_lost", "passing"],
  ["a socket that fails", Object.assign(new Error("read"), { syscall: "read" }), "connection_lost", "passing"],
  ["a write without a response", new OutcomeUnknown(coded("ECONNRESET")), "outcome_unknown", "trouble"],
  ["a statement that is wrong", said("42601"), "other", "trouble"],
  ["a full disk", said("53100"), "other", "trouble"],
  [
    "the same inside another error",
    new Error("a procedure failed", { cause: waited() }),
    "no_connection_left",
    "passing",
  ],
  ["the same wrapped by Prisma", ofPrisma(new Error("x", { cause: waited() })), "no_connection_left", "passing"],
  ["a connection that ended, in Prisma's words", coded("P1017"), "connection_lost", "passing"],
  [
    "a deadlock as Prisma describes it",
    ofPrisma(new Error("x", { cause: { originalCode: "40P01", kind: "postgres" } })),
    "collision",
    "passing",
  ],
  [
    "an error of our own",
    new TypeError("Cannot read properties of undefined (reading 'timeout')"),
    null,
    "not the database",
  ],
  ["a code that is not the database's", coded("ERR_INVALID_URL"), null, "not the database"],
  ["a string", "timeout exceeded when trying to connect", null, "not the database"],
  ["nothing", undefined, null, "not the database"],
];

describe("a database error", () => {
  it.each(cases)("is classified: %s", (_, error, fault) => {
    expect(databaseFault(error)).toBe(fault);
  });

  it.each(cases)("has one consequence: %s", (_, error, __, kind) => {
    expect(isRefusedData(error)).toBe(kind === "refused data");
    expect(isPassing(error)).toBe(kind === "passing");
    expect(isDatabaseTrouble(error)).toBe(kind === "passing" || kind === "trouble");
  });

  it("is found in an error that is its own cause", () => {
    const endless = new Error("x");
    endless.cause = endless;
    expect(databaseFault(endless)).toBeNull();
  });
});

it("a server that is not there is a lost connection, whoever asks it", async () => {
  const nowhere = connect("postgresql://nobody@127.0.0.1:1/nothing");
  const faults = await Promise.all(
    [nowhere.prisma.operator.count(), nowhere.query("SELECT 1")].map((asked) => asked.catch(databaseFault)),
  );
  await nowhere.close();
  expect(faults).toEqual(["connection_lost", "connection_lost"]);
});
