import type { ApplicationKey } from "@/server/demo/cast/applications";
import type { Connectable, ProviderService } from "@/server/domain/providers";

/**
 * The state of a profile. `first`: its first sync is still running. `failing`: several syncs in a row failed.
 * `throttled`: its provider wants no requests for a while. `revoked`: its account ended the application's access.
 */
export type Condition = "well" | "first" | "failing" | "throttled" | "disconnected" | "revoked";

export interface CastPerson {
  application: ApplicationKey;
  name: string;
  email: string;
  tzid: string;
  profiles: { provider: Connectable; service: ProviderService; name: string; condition: Condition }[];
  /** Days since the account was created. */
  age: number;
}

const services: Record<string, [Connectable, ProviderService]> = {
  w: ["google", "google_workspace"],
  g: ["google", "google"],
  m: ["microsoft", "microsoft_365"],
  o: ["outlook", "outlook"],
  i: ["icloud", "icloud"],
  c: ["caldav", "caldav"],
};
const zones: Record<string, string> = {
  ld: "Europe/London",
  be: "Europe/Berlin",
  st: "Europe/Stockholm",
  ma: "Europe/Madrid",
  ny: "America/New_York",
  la: "America/Los_Angeles",
  to: "Asia/Tokyo",
};

/**
 * One account a line: name, email, zone, days since it was connected, and its profiles as `service:condition`, a second
 * one with its own address.
 */
const northwind = `
Nora Haddad, nora@harrow-clinics.example, ld, 203, w
Owen Price, owen@harrow-clinics.example, ld, 203, w
Amara Nwosu, amara@harrow-clinics.example, ld, 201, c
Dr Felix Brandt, felix@praxis-brandt.example, be, 188, m
Lena Vogt, lena@praxis-brandt.example, be, 188, m
Marco Rossi, marco@studio-rossi.example, be, 177, g
Greta Sandberg, greta@sandberg-fysio.example, st, 171, i
Elif Kaya, elif@kaya-dental.example, be, 164, w i=elif.kaya@mail.example
Hannah Weiss, hannah@kaya-dental.example, be, 164, w:disconnected
Tom Becker, tom@becker-optik.example, be, 150, o
Isabel Navarro, isabel@navarro-legal.example, ma, 141, m
Diego Campos, diego@navarro-legal.example, ma, 141, m
Aisha Rahman, aisha@brightsmile.example, ld, 120, w
Callum Reid, callum@brightsmile.example, ld, 119, w
Yuki Mori, yuki@mori-pilates.example, to, 96, g
Beatriz Luna, beatriz@luna-estetica.example, ma, 88, i:failing
Samuel Osei, samuel@osei-tutoring.example, ld, 75, g
Clara Jensen, clara@jensen-yoga.example, st, 60, i
Ravi Menon, ravi@menon-physio.example, ld, 44, w
Julia Klein, julia@klein-haar.example, be, 31, o
Peter Novak, peter@novak-auto.example, be, 22, m:disconnected
Zoe Martin, zoe@studio-zoe.example, ld, 13, g
Emil Holm, emil@holm-massage.example, st, 4, i
Katja Berger, katja@berger-bau.example, be, 0, m:first
Victor Chan, victor@chan-acupuncture.example, ld, 110, g:revoked`;

const lumen = `
Grace Holloway, grace@alder-partners.example, ny, 146, m
Ben Carter, ben@alder-partners.example, ny, 146, m
Dana Whitfield, dana@alder-partners.example, ny, 140, m
Luis Ortega, luis@bluefin-media.example, la, 133, w
Chloe Dubois, chloe@bluefin-media.example, la, 133, w g=chloe.dubois@mail.example
Marcus Bell, marcus@bluefin-media.example, la, 131, w
Ingrid Solheim, ingrid@fjordtech.example, st, 118, m
Anders Lie, anders@fjordtech.example, st, 118, m
Sara Lind, sara@fjordtech.example, st, 117, m:throttled
Tess Moreau, tess@orchard-labs.example, ny, 90, w
Noah Kim, noah@orchard-labs.example, ny, 90, w
Farah Aziz, farah@orchard-labs.example, ny, 85, w:disconnected
Henrik Dahl, henrik@dahl-invest.example, st, 70, o
Olivia Grant, olivia@grant-realty.example, la, 52, i
Mateo Silva, mateo@silva-export.example, ma, 37, g
Ruth Adler, ruth@adler-events.example, be, 19, w
Jack Turner, jack@turner-solar.example, la, 8, m`;

const quill = `
Anna Petrov, anna@quill-recruiting.example, be, 33, w
Leo Fischer, leo@quill-recruiting.example, be, 33, w
Maria Costa, maria@quill-recruiting.example, ma, 20, m`;

/** The people who have connected a calendar account. */
export const castPeople: readonly CastPerson[] = [
  ...read("northwind", northwind),
  ...read("lumen", lumen),
  ...read("quill", quill),
];

function read(application: ApplicationKey, lines: string): CastPerson[] {
  return lines
    .trim()
    .split("\n")
    .map((line) => {
      const [name = "", email = "", zone = "", age = "", accounts = ""] = line.split(", ");
      const profiles = accounts.split(" ").map((text) => profileOf(text, email));
      return { application, name, email, tzid: zones[zone] ?? "Etc/UTC", age: Number(age), profiles };
    });
}

function profileOf(text: string, email: string): CastPerson["profiles"][number] {
  const [, letter = "", condition = "well", name = email] = /^(\w)(?::(\w+))?(?:=(\S+))?$/.exec(text) ?? [];
  const [provider, service] = services[letter] ?? ["caldav", "caldav"];
  return { provider, service, name, condition: condition as Condition };
}
