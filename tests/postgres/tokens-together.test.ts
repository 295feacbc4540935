import { expect, it } from "vitest";
import { type Database, db, type Query } from "@/server/db/client";
import { authenticate } from "@/server/services/bearer";
import { bearerOfToken, readerOfToken } from "@/server/store/grants/bearer";
import { bearerStatement, readerStatement } from "@/server/store/grants/bearer.sql";
import { ownDatabase } from "../api/own-database";
import { openCalendar } from "../api/service";

ownDatabase();

const HOURS = 3_600_000;

/** The same database, which notes what is asked of it. */
function noting(asked: string[]): Database {
  const query: Query = (text, values) => {
    asked.push(text);
    return db().query(text, values);
  };
  return { ...db(), query };
}

it.each([
  ["bearer", bearerOfToken, bearerStatement],
  ["reader", readerOfToken, readerStatement],
])(
  "the tokens of many requests at once are looked up together, each for its own account: %s",
  async (_, lookUp, one) => {
    const opened = await Promise.all(Array.from({ length: 6 }, () => openCalendar()));
    const now = Date.now();
    const asked: string[] = [];
    const database = noting(asked);
    const shown = (token: string, at = now) =>
      authenticate(database, lookUp, { authorization: `Bearer ${token}`, now: at }).catch(({ reason }) => reason.error);
    const tokens = opened.map(({ accessToken }) => accessToken);
    const together = await Promise.all([...tokens, "at_unknown", ...tokens].map((token) => shown(token)));
    expect(asked).toEqual([one.text, lookUp.many.text]);
    const ids = opened.map(({ accountId }) => accountId);
    expect(together.map((found) => found.accountId ?? found)).toEqual([...ids, "invalid_token", ...ids]);
    const [, second] = together;
    expect({ ...second, place: undefined }).toEqual({ ...(await shown(tokens[1] ?? "")), place: undefined });
  },
);

it("a token that expired or was revoked is refused among others", async () => {
  const [first, second, revoked, third] = await Promise.all(Array.from({ length: 4 }, () => openCalendar()));
  await db().query("UPDATE accounts SET revoked_at = now() WHERE id = $1", [revoked?.accountId]);
  const shown = (token: string | undefined, now: number) =>
    authenticate(db(), bearerOfToken, { authorization: `Bearer ${token}`, now }).then(
      ({ accountId }) => accountId,
      ({ reason }) => reason.error,
    );
  const now = Date.now();
  const asked = [first, second, revoked, third].map((opened) => shown(opened?.accessToken, now));
  expect(await Promise.all(asked)).toEqual([first?.accountId, second?.accountId, "invalid_token", third?.accountId]);
  const later = [first, second, third].map((opened) => shown(opened?.accessToken, now + 4 * HOURS));
  expect(await Promise.all(later)).toEqual(["invalid_token", "invalid_token", "invalid_token"]);
});
