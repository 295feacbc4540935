import { expect, it } from "vitest";
import { challengesOf } from "@/server/providers/caldav/challenges";
import { digestSession, signedByDigest } from "@/server/providers/caldav/digest";

const challenges = (...headers: string[]) => {
  const all = new Headers();
  for (const header of headers) all.append("www-authenticate", header);
  return challengesOf(all);
};

/** RFC 7616 §3.9.1. */
const mufasa = { username: "Mufasa", password: "Circle of Life" };
const inRfc = (algorithm: string) =>
  `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`;

it.each([
  ["MD5", "8ca523f5e9506fed4657c9700eebdbec"],
  ["SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"],
])("a request is signed as the example of RFC 7616 is: %s", (algorithm, response) => {
  const [challenge] = challenges(inRfc(algorithm));
  const session = challenge ? digestSession(challenge) : null;
  if (!session) throw new Error("it is not understood");
  const own = { ...session, cnonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ" };
  const request = { method: "GET", url: "http://www.example.org/dir/index.html" };
  const header = signedByDigest(own, mufasa, request);
  expect(header).toContain(`response="${response}"`);
  expect(header).toContain(
    `username="Mufasa", realm="http-auth@example.org", nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", uri="/dir/index.html"`,
  );
  expect(header).toContain(
    `algorithm=${algorithm}, opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS", qop=auth, nc=00000001`,
  );
  expect(signedByDigest(own, mufasa, request)).toContain("nc=00000002");
});

it("a name is sent as a hash where the server asks for that, as in the example of RFC 7616 with erratum 4897", () => {
  const [challenge] = challenges(
    'Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS", charset=UTF-8, userhash=true',
  );
  const session = challenge ? digestSession(challenge) : null;
  if (!session) throw new Error("it is not understood");
  const own = { ...session, cnonce: "NTg6RKcb9boFIAS3KrFK9BGeh+niz/sm" };
  const login = { username: "Jäsøn Doe", password: "Secret, or not?" };
  const header = signedByDigest(own, login, { method: "GET", url: "http://api.example.org/doe.json" });
  expect(header).toContain(
    'username="793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b", userhash=true',
  );
});

it("a name that is not ASCII has the form of its own", () => {
  const [challenge] = challenges('Digest realm="a \\"b\\" \\\\c", nonce="n", qop="auth"');
  const session = challenge ? digestSession(challenge) : null;
  if (!session) throw new Error("it is not understood");
  const header = signedByDigest(
    session,
    { username: "Jäsøn (a)", password: "b" },
    { method: "GET", url: "http://a/?b=c d" },
  );
  expect(header).toContain("username*=UTF-8''J%C3%A4s%C3%B8n%20%28a%29");
  expect(header).toContain('realm="a \\"b\\" \\\\c"');
  expect(header).toContain('uri="/?b=c%20d"');
  expect(header).not.toContain("algorithm=");
});

it.each([
  ["one after the other in one header", ['Basic realm="a, Digest b", Digest realm="c", nonce="n"']],
  ["in headers of their own", ['basic realm="a, Digest b"', 'DIGEST realm="c",nonce="n"']],
  ["beside others", ["Negotiate YIIx==, X-MobileMe-AuthToken realm=a", 'Basic realm="a"', "Digest realm=c, nonce=n"]],
])("challenges are found %s", (_, headers) => {
  const found = challenges(...headers);
  expect(found.map(({ scheme }) => scheme)).toEqual(expect.arrayContaining(["basic", "digest"]));
  expect(found.find(({ scheme }) => scheme === "digest")?.params.get("realm")).toBe("c");
  expect(found.map(digestSession).filter((one) => one !== null)).toHaveLength(1);
});

it.each([
  'Digest realm="a", nonce="n", algorithm=SHA-1',
  'Digest realm="a", nonce="n", qop="auth-conf"',
  'Digest realm="a"',
  'Basic realm="a", nonce="n"',
  "Digest",
])("this client cannot sign for %s", (header) => {
  expect(challenges(header).map(digestSession)).toEqual([null]);
});
