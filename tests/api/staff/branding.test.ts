import { beforeAll, expect, it } from "vitest";
import { SMALL_PNG } from "../../fakes/small-png";
import { authorize } from "../connect-page";
import { applicationId } from "../grants";
import { type Application, call, newApplication } from "../service";
import { newOperator as newPerson, signedInBrowser } from "./browser";
import { auditOf, newOperator, type Operator, refusal } from "./staff-caller";

let admin: Operator;
let developer: Operator;
let application: Application;
let id: string;

beforeAll(async () => {
  application = await newApplication();
  id = await applicationId(application);
  admin = await newOperator("admin");
  developer = await newOperator("developer", "Lin", [id]);
});

const links = { supportUrl: "https://acme.io/help?a=1&b=2", privacyUrl: "https://acme.io/privacy" };

it("a developer gives the connect page a logo, a color and links, which its users see", async () => {
  expect((await authorize(application)).text).toContain('<p class="mark">Almanac</p>');
  await developer.api.applications.setBranding({ id, accent: "#F4B400", ...links });
  const { logo } = await developer.api.applications.setLogo({ id, png: SMALL_PNG });
  expect(await developer.api.applications.branding({ id })).toEqual({ logo, accent: "#f4b400", ...links });
  const page = await authorize(application);
  expect(page.text).toContain(`<img class="logo" src="/logos/${logo}.png" alt=""/>`);
  expect(page.text).toContain("@media(prefers-color-scheme:dark){:root{--plate:#fff;--accent:#f4b400;}}");
  expect(page.text).toMatch(/:root\{--plate:transparent;--accent:#[\da-f]{6};\}/);
  expect(page.text).toContain('<a href="https://acme.io/help?a=1&amp;b=2" target="_blank" rel="noreferrer">Support');
  expect(page.text).toContain('<a href="https://acme.io/privacy"');
  expect(page.headers.get("content-security-policy")).toContain(
    "default-src 'none'; style-src 'unsafe-inline'; font-src 'self'; img-src 'self'",
  );
  const refused = await authorize(application, { redirect_uri: "https://app.acme.io/other" });
  expect(refused.text).toContain(`/logos/${logo}.png`);
  expect(await auditOf(id)).toMatchObject([
    { action: "branding.changed", operator_id: developer.id, detail: { accent: "#f4b400", ...links } },
    { action: "logo.changed", detail: { width: 1, height: 1 } },
  ]);
});

it("a logo is served from our own origin, as a picture that can do nothing", async () => {
  const { logo } = await admin.api.applications.setLogo({ id, png: SMALL_PNG });
  const served = await call("GET", `/logos/${logo}.png`);
  expect(served.status).toBe(200);
  expect(Object.fromEntries(served.headers)).toMatchObject({
    "content-type": "image/png",
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "cache-control": "public, max-age=31536000, immutable",
  });
  for (const other of ["0".repeat(32), `${logo}x`, "..%2f..%2fpackage.json"]) {
    expect([other, (await call("GET", `/logos/${other}.png`)).status]).toEqual([other, 404]);
  }
  await admin.api.applications.removeLogo({ id });
  expect((await call("GET", `/logos/${logo}.png`)).status).toBe(404);
  expect((await authorize(application)).text).toContain('<p class="mark">Almanac</p>');
});

it.each([
  [{ accent: "red" }, "accent"],
  [{ accent: "#fff;} body{display:none" }, "accent"],
  [{ supportUrl: "http://acme.io/help" }, "supportUrl"],
  [{ supportUrl: "javascript:alert(1)" }, "supportUrl"],
  [{ privacyUrl: "https://ada:secret@acme.io/" }, "privacyUrl"],
])("refuses %j", async (given, field) => {
  const input = { id, accent: "", supportUrl: "", privacyUrl: "", ...given };
  expect(await refusal(admin.api.applications.setBranding(input))).toMatchObject({
    kind: "invalid",
    issues: [{ path: [field] }],
  });
});

it("refuses a logo that is no PNG, or too large", async () => {
  const svg = Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>").toString("base64");
  for (const png of [svg, "", Buffer.alloc(200 * 1024).toString("base64")]) {
    expect(await refusal(admin.api.applications.setLogo({ id, png }))).toMatchObject({
      kind: "invalid",
      issues: [{ path: ["png"] }],
    });
  }
});

it("the preview shows what is not saved yet to those who may see the application, and to no other site", async () => {
  const support = await signedInBrowser(await newPerson({ role: "support" }));
  const path = `/api/branding?application=${id}&theme=dark&accent=%23ff0000&supportUrl=javascript:alert(1)`;
  const page = await support.get(path, { "sec-fetch-site": "same-origin" });
  expect(page.status).toBe(200);
  expect(page.text).toContain('<body inert=""');
  expect(page.text).toContain(":root{color-scheme:dark;");
  expect(page.text).not.toContain("javascript:");
  expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'self'");
  const elsewhere = await support.get(path, { "sec-fetch-site": "cross-site" });
  expect(elsewhere.status).toBe(403);
  const signedOut = await call("GET", path, { headers: { "sec-fetch-site": "same-origin" } });
  expect(signedOut.status).toBe(401);
});
