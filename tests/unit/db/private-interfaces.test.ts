import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

/** Lists what of other packages is used beyond what they document, with the version that it was read in and what to read again in another. */
const read: [string, string, string][] = [
  [
    "pg",
    "8.23.1",
    `server/db/kept-call.ts: in pg/lib/client.js how a query that submits itself is handled (submit, callback, the handle… methods); in
pg/lib/connection.js parse, describe, execute, sync, parsedStatements and submittedNamedStatements; in pg/lib/query.js what prepare() checks and
sends; prepareValue of pg/lib/utils.js. Then run tests/postgres/kept-calls.test.ts and tests/postgres/lost-connection.test.ts.
server/db/lost-connection.ts: the messages of errors in pg/lib/client.js, of what was never sent.`,
  ],
  [
    "pg-pool",
    "3.14.0",
    `server/db/traced-pool.ts and server/db/lost-connection.ts: that query() calls connect() with a callback, that "verify" is called for each new
connection, and the messages of errors. Then run tests/postgres/lost-connection.test.ts.`,
  ],
  [
    "@prisma/adapter-pg",
    "7.10.0",
    `server/db/lent-prisma.ts: that a statement outside of a transaction is one call of the pool's query(), and a transaction one of its connect().
Then run tests/unit/db/lent-prisma.test.ts.`,
  ],
];

it.each(read)("%s is the version that was read, %s", (name, version, whatToRead) => {
  const file = join(import.meta.dirname, "../../../node_modules", name, "package.json");
  expect(JSON.parse(readFileSync(file, "utf8")).version, whatToRead).toBe(version);
});
