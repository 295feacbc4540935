import type { Guide } from "@/components/docs/guide";
import { connectionStates } from "@/components/docs/guides/connection-states";
import { type ProviderFacts, providerFacts } from "@/components/docs/guides/provider-facts";
import { inWords } from "@/components/docs/in-words";
import { type Provider, type ProviderTraits, providerTraits } from "@/server/domain/providers";
import { durationWords } from "@/server/domain/time/duration-words";
import {
  meetingServiceName,
  providerName,
  providerNamed,
  serviceName,
  type Vocabulary,
} from "@/server/domain/wire-names";
import { count, limits } from "@/server/http/limits";
import type { OpenApiDocument } from "@/server/http/openapi/document-shape";

type Traits = Readonly<Record<Provider, ProviderTraits>>;

interface Column extends ProviderFacts, ProviderTraits {
  provider: Provider;
  title: string;
  names: Vocabulary;
}

interface ComparedSection {
  id: string;
  title: string;
  /** The head of the first column. No two tables of a page may have the same heads. */
  about: string;
  text: string;
  rows: readonly Row[];
}

/** A row: what it is about, and what a column says of it. */
type Row = [name: string, cell: (column: Column) => string];

/** What differs by provider: hosted calendars, and those of every provider that can be connected. */
export function providersGuide(document: OpenApiDocument, traits: Traits = providerTraits): Guide {
  const columns = columnsOf(document, traits);
  const section = ({ id, title, about, text, rows }: ComparedSection) => ({
    id,
    title,
    blocks: [text, table(columns, about, rows)],
  });
  return {
    name: "Providers",
    path: "/docs/providers",
    title: "What differs by provider",
    lead: "The API is the same for every provider. The providers behind it are not: this page lists what your users may notice.",
    sections: [
      ...[accounts, guests, meetingLinks, fields, series, changes].map(section),
      connectionStates(columns.map(({ provider }) => provider)),
    ],
  };
}

const signIns = { oauth: "OAuth, at the provider", password: "a password, on the connect page" } as const;

const accounts: ComparedSection = {
  id: "accounts",
  title: "Accounts and calendars",
  about: "Account",
  text: "Match on `provider_name`, not on the name that users see.",
  rows: [
    ["`provider_name`", ({ names, provider }) => `\`${providerName(names, provider)}\``],
    [
      "`provider_service`",
      ({ names, services }) => services.map((one) => `\`${serviceName(names, one)}\``).join(" or "),
    ],
    ["Sign-in", ({ signIn }) => (signIn === null ? "none: your client id and secret" : signIns[signIn])],
    ["Access ends when", ({ accessEnds }) => accessEnds],
    ["Calendars", ({ calendars }) => calendars],
    ["`calendar_readonly`", ({ readonly }) => readonly],
    ["`calendar_deleted`", ({ deleted }) => deleted],
    ["`calendar_primary`", ({ primary }) => primary],
  ],
};

const guests: ComparedSection = {
  id: "guests",
  title: "Guests",
  about: "Guests",
  text: "The calendar's provider sends invitations. Almanac sends no email to guests.",
  rows: [
    [
      "Invitations",
      ({ invites, title, invitations }) =>
        invites
          ? `sent by ${title}${invitations}`
          : "not sent: a write with guests is rejected with `errors.attendees_unsupported`, unless `notify_attendees` is `false`",
    ],
    [
      "`notify_attendees` is `false`",
      ({ writesSilently, silent }) => (writesSilently ? silent : "rejected with `errors.notify_attendees_unsupported`"),
    ],
    ["A guest's reply", ({ replies }) => replies],
    ["Replies when the time changes", ({ repliesReset }) => repliesReset],
    ["Only part of the guest list is shown", ({ partialGuestLists }) => partialGuestLists],
    ["`organizer`", ({ organizer }) => organizer],
    ["`participation_status`", ({ participation }) => participation],
    ["`free_busy_status` is `free`", ({ free }) => free],
    [
      "Left out of free/busy",
      ({ invites }) => (invites ? "invitations that the calendar's owner declined" : "nothing"),
    ],
  ],
};

const meetingLinks: ComparedSection = {
  id: "meeting-links",
  title: "Meeting links",
  about: "Link",
  text: "Where a calendar adds no links, `default` writes the event without one, and `integrated` is rejected with `errors.conferencing_unavailable`. A later write without `conferencing` keeps the link, even if the event moves.",
  rows: [
    ["Calendars that add links", ({ addsLinksTo }) => addsLinksTo || "none"],
    ["A new link", ({ newLink }) => newLink],
    ["A write with `none`", ({ removedLink }) => removedLink],
    ["Other links", ({ linkOfOthers }) => linkOfOthers],
    ["`conferencing.provider_name`", linkNames],
  ],
};

function linkNames({ names, linkServices }: Column): string {
  if (linkServices === null) return "not returned";
  const own = linkServices.map((one) => `\`${meetingServiceName(names, one)}\``);
  return inWords([...own, "the service of another link"], "or");
}

const fields: ComparedSection = {
  id: "fields",
  title: "Fields",
  about: "Field",
  text: `A description can have up to ${limits.description} characters.`,
  rows: [
    [
      "Long descriptions",
      ({ descriptionLimit, title }) =>
        descriptionLimit === null
          ? "stored in full"
          : `${title} stores up to ${count(descriptionLimit)} characters; reads return your text in full until somebody else changes it`,
    ],
    ["`url`", ({ url }) => url],
    ["`categories`", ({ categories }) => categories],
    ["`event_private`", (column) => column.private],
    ["`calendar_attachments_available`", () => "`false`"],
    ["Your writes keep", ({ kept }) => kept],
  ],
};

const series: ComparedSection = {
  id: "series",
  title: "Recurring events",
  about: "Series",
  text: "A rule of the API works with every provider, except those listed here, and a series repeats at the same local time all year. Series that users create can have any rule: each occurrence is returned as an event.",
  rows: [
    ["Series that can't be stored", ({ unwritableSeries }) => unwritableSeries],
    ["Changed and skipped occurrences", ({ exceptions }) => exceptions],
    ["A user edits this and the following occurrences", ({ following }) => following],
    ["Time zones", ({ zones }) => zones],
  ],
};

const changes: ComparedSection = {
  id: "changes",
  title: "How fast changes arrive",
  about: "Change",
  text: "Your own writes appear in reads immediately, whatever the provider.",
  rows: [
    ["Other people's changes", changesArrive],
    ["A calendar's name or rights", calendarsArrive],
    ["Your writes reach the provider", ({ signIn }) => (signIn === null ? "immediately" : "within seconds")],
  ],
};

function changesArrive({ signIn, watchedPollMs, title }: Column): string {
  if (signIn === null) return "nobody else writes";
  const poll = `at the next check, by default after about ${limits.poll}, or up to ${limits.quietPoll} if the account has been quiet`;
  if (watchedPollMs === null) return poll;
  return `within seconds if ${title} can notify this service, with a check every ${durationWords(watchedPollMs)} for what was missed; otherwise ${poll}`;
}

/** Lists of calendars report neither: they come with the check that lists all of them. */
function calendarsArrive({ signIn, watchedPollMs }: Column): string {
  if (signIn === null) return "nobody changes them";
  return watchedPollMs === null ? "at the next check" : `after about ${durationWords(watchedPollMs)} at the latest`;
}

/** The columns in the order of the connect page, after that of hosted calendars. */
function columnsOf(document: OpenApiDocument, traits: Traits): Column[] {
  const names = vocabularyOf(document);
  const offered = document["x-providers"].flatMap(({ provider_name, title }) => {
    const provider = providerNamed(provider_name);
    return provider ? [{ provider, title }] : [];
  });
  return [{ provider: "hosted" as const, title: "Hosted by Almanac" }, ...offered].flatMap(({ provider, title }) => {
    const facts = providerFacts[provider];
    return facts ? [{ ...traits[provider], ...facts, provider, title, names }] : [];
  });
}

/** The names that this service uses on the wire. */
function vocabularyOf({ components }: OpenApiDocument): Vocabulary {
  const named = components.schemas.Profile.properties?.provider_name?.enum ?? [];
  return named.includes(providerName("neutral", "google")) ? "neutral" : "product";
}

function table(columns: readonly Column[], about: string, rows: readonly Row[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    line([about, ...columns.map(({ title }) => title)]),
    `|${"---|".repeat(columns.length + 1)}`,
    ...rows.map(([name, cell]) => line([name, ...columns.map(cell)])),
  ].join("\n");
}
