import { connectionStates } from "@/components/docs/generated/connection-states";
import { type ProviderFacts, providerFacts } from "@/components/docs/generated/provider-facts";
import { inWords } from "@/components/docs/in-words";
import { table } from "@/components/docs/written/parts";
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

interface Comparison {
  /** The head of the first column. No two tables of a page may have the same heads. */
  about: string;
  rows: readonly Row[];
}

/** A row: its subject, and its text for each column. */
type Row = [name: string, cell: (column: Column) => string];

const signIns = { oauth: "OAuth, at the provider", password: "a password, on the connect page" } as const;

const accounts: Comparison = {
  about: "Account",
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

const access: Comparison = {
  about: "`access`",
  rows: [
    ["omitted", ({ asked }) => asked.full],
    ["`read`", ({ asked }) => asked.read],
    ["`free_busy`", ({ asked }) => asked.free_busy],
  ],
};

const guests: Comparison = {
  about: "Guests",
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

const meetingLinks: Comparison = {
  about: "Link",
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

const fields: Comparison = {
  about: "Field",
  rows: [
    [
      "Long descriptions",
      ({ descriptionLimit, title }) =>
        descriptionLimit === null
          ? "stored in full"
          : `${title} stores up to ${count(descriptionLimit)} characters; reads return your text in full until someone else changes it`,
    ],
    ["`url`", ({ url }) => url],
    ["`categories`", ({ categories }) => categories],
    ["`event_private`", (column) => column.private],
    ["`calendar_attachments_available`", () => "`false`"],
    ["Your writes keep", ({ kept }) => kept],
  ],
};

const series: Comparison = {
  about: "Series",
  rows: [
    ["Series that can't be stored", ({ unwritableSeries }) => unwritableSeries],
    ["Changed and skipped occurrences", ({ exceptions }) => exceptions],
    ["A user edits this and the following occurrences", ({ following }) => following],
    ["Time zones", ({ zones }) => zones],
  ],
};

const changes: Comparison = {
  about: "Change",
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

/**
 * Says when a change of a calendar's name or rights arrives. Lists of calendars report neither: they come with the
 * check that lists all of them.
 */
function calendarsArrive({ signIn, watchedPollMs }: Column): string {
  if (signIn === null) return "nobody changes them";
  return watchedPollMs === null ? "at the next check" : `after about ${durationWords(watchedPollMs)} at the latest`;
}

const comparisons = { accounts, access, guests, "meeting-links": meetingLinks, fields, series, changes };

/** Compares providers in one respect: hosted calendars, and those of every provider that can be connected. */
export function providerTable(document: OpenApiDocument, traits: Traits, name: string): string {
  const comparison = comparisons[name as keyof typeof comparisons];
  const columns = columnsOf(document, traits);
  return table({
    head: [comparison.about, ...columns.map(({ title }) => title)],
    rows: comparison.rows.map(([row, cell]) => [row, ...columns.map(cell)]),
  });
}

/** Shows what follows from the responses of the providers that can be connected. */
export function connectionTable(document: OpenApiDocument): string {
  return connectionStates(columnsOf(document, providerTraits).map(({ provider }) => provider));
}

/** Lists the columns in the order of the connect page, after that of hosted calendars. */
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

/** Returns the names that this service uses on the wire. */
function vocabularyOf({ components }: OpenApiDocument): Vocabulary {
  const named = components.schemas.Profile.properties?.provider_name?.enum ?? [];
  return named.includes(providerName("neutral", "google")) ? "neutral" : "product";
}
