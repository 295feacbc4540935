import { afterEach, describe, expect, it } from "vitest";
import { caldavConnector } from "@/server/providers/caldav/connector";
import { listedCalendars, mailboxOf } from "@/tests/fakes/mailbox";
import { basicAlone, type SignIn } from "@/tests/fakes/small-dav/sign-in";
import { type SmallDav, startSmallDav } from "@/tests/fakes/small-dav/small-dav";

const open: SmallDav[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

async function server(signIn: Partial<SignIn>, user = "anna@example.com") {
  const dav = await startSmallDav({ signIn: { ...basicAlone, ...signIn } });
  open.push(dav);
  dav.user = user;
  dav.calendar("personal");
  const connector = caldavConnector({ entry: dav.url });
  const verify = (password = dav.password) => connector.signIn.verify({ username: dav.user, password });
  const list = async (account: Awaited<ReturnType<typeof verify>>) => listedCalendars(mailboxOf(connector, account));
  const signed = () => dav.asked.map(({ headers }) => String(headers.authorization ?? "none").split(" ")[0]);
  return { dav, verify, list, signed };
}

const faultOf = (asking: Promise<unknown>) => asking.then(() => null).catch(({ fault, detail }) => ({ fault, detail }));
const digest = { schemes: ["digest"] as const };

describe("a server with Digest alone", () => {
  it.each<[string, Partial<SignIn>]>([
    ["SHA-256", {}],
    ["MD5, as sabre/dav asks for it", { algorithms: [""] }],
    ["MD5 by its name", { algorithms: ["MD5"] }],
    ["a session of MD5", { algorithms: ["MD5-sess"] }],
    ["SHA-512-256 before MD5", { algorithms: ["SHA-512-256", "MD5"] }],
    ["an algorithm that nobody has before SHA-256", { algorithms: ["SHA3-256", "SHA-256"] }],
    ["no quality of protection (RFC 2069)", { qop: null, algorithms: [""], checksCount: false }],
    ["the integrity of bodies", { qop: "auth-int" }],
    ["hashed names", { userhash: true }],
    ["beside Negotiate", { schemes: ["negotiate", "digest"] }],
  ])("signs the account in: %s", async (_, signIn) => {
    const { dav, verify, list, signed } = await server({ ...digest, ...signIn });
    expect(await list(await verify())).toMatchObject([{ name: "personal" }]);
    expect(new Set(signed())).toEqual(new Set(["none", "Digest"]));
    expect(signed().filter((one) => one === "none")).toHaveLength(1);
    expect(dav.asked.length).toBeLessThanOrEqual(4);
  });

  it("never gets the password by Basic, also not a wrong one, which is told from everything else", async () => {
    const { verify, signed } = await server(digest);
    expect(await faultOf(verify("wrong"))).toMatchObject({ fault: { kind: "credentials_rejected" } });
    expect(signed()).toEqual(["none", "Digest"]);
  });

  it("signs in a name that is not ASCII", async () => {
    const { verify, list } = await server(digest, "jäsøn@example.com");
    expect(await list(await verify())).toHaveLength(1);
  });

  it("is asked by one request while the nonce holds, and by two when it is stale", async () => {
    const { dav, verify, list, signed } = await server({ ...digest, usesOfNonce: 6 });
    const account = await verify();
    for (let times = 0; times < 10; times += 1) await list(account);
    expect(signed().filter((one) => one === "none")).toHaveLength(1);
    const before = dav.asked.length;
    dav.check.forgetNonces();
    await list(account);
    expect(dav.asked.length - before).toBe(2);
  });

  it("is asked with the nonce that it gave out for the next request", async () => {
    const { dav, verify, list } = await server({ ...digest, usesOfNonce: 1, givesNextNonce: true });
    const account = await verify();
    const before = dav.asked.length;
    await list(account);
    await list(account);
    expect(dav.asked.length - before).toBe(2);
  });

  it("signs in what is asked at once, each with a count of its own", async () => {
    const { verify, list, signed } = await server(digest);
    const account = await verify();
    await Promise.all(Array.from({ length: 8 }, () => list(account)));
    expect(signed().filter((one) => one === "none")).toHaveLength(1);
    expect(signed()).toHaveLength(11);
  });

  it("that begins to want it of an account that is connected gets the password by Basic once", async () => {
    const { dav, verify, list, signed } = await server({ schemes: ["basic"] });
    const account = await verify();
    const other = await server(digest);
    const moved = {
      ...account,
      credential: account.credential.replaceAll(new URL(dav.url).origin, new URL(other.dav.url).origin),
    };
    await other.list(moved);
    await other.list(moved);
    expect(other.signed()).toEqual(["Basic", "Digest", "Digest"]);
    await list(account);
    expect(signed()).toEqual(["none", "Basic", "Basic", "Basic"]);
  });
});

describe("other servers", () => {
  it("with Basic are asked without the password first, and with it from then on", async () => {
    const { verify, list, signed } = await server({});
    await list(await verify());
    expect(signed()).toEqual(["none", "Basic", "Basic", "Basic"].slice(0, signed().length));
    expect(signed()[1]).toBe("Basic");
  });

  it("with both get no password over http", async () => {
    const { verify, list, signed } = await server({ schemes: ["basic", "digest"] });
    await list(await verify());
    expect(signed()).not.toContain("Basic");
  });

  it.each<[string, Partial<SignIn>]>([
    ["Negotiate alone", { schemes: ["negotiate"] }],
    ["Digest by an algorithm that nobody has", { ...digest, algorithms: ["SHA3-256"] }],
    ["Digest with confidentiality", { ...digest, qop: "auth-conf" }],
  ])("that want %s are no wrong password, and get none", async (_, signIn) => {
    const { verify, signed } = await server(signIn);
    expect(await faultOf(verify())).toEqual({ fault: { kind: "down" }, detail: "unsupported_sign_in" });
    expect(signed()).toEqual(["none"]);
  });
});
