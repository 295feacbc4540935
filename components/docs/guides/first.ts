import type { InEveryLanguage } from "@/components/docs/code/languages";
import { setting, today } from "@/components/docs/code/setting";
import {
  accepted,
  type Block,
  code,
  type Guide,
  isSandboxOff,
  recorded,
  type Step,
  step,
} from "@/components/docs/guide";
import { connectSection, errorSection, eventSection, nextSection } from "@/components/docs/guides/first-event";
import {
  FIRST_CALENDAR,
  firstCalendars,
  firstEvents,
  onePage,
  recordedFirst,
} from "@/components/docs/quickstart-responses";
import { limits } from "@/server/http/limits";
import type { OpenApiDocument } from "@/server/http/openapi/document-shape";

const LOCAL_RECEIVER = "http://127.0.0.1:9999";

/** From a client id and secret to a webhook whose signature is verified, then to an event and a user: every block runs as pasted. */
export function firstGuide(document: OpenApiDocument): Guide {
  const api = document.servers[0]?.url ?? "";
  return {
    name: "Quickstart",
    path: "/docs",
    title: "Quickstart",
    lead: `${document.info.summary} This guide takes you from a client id and secret to your first verified webhook. You need curl, Node, Python, Ruby or PHP, and no library.`,
    sections: [
      before(api),
      token(document),
      channel(document),
      receive(),
      isSandboxOff(document) ? testEvent(document) : change(document),
      eventSection(document),
      errorSection(),
      connectSection(document),
      nextSection(),
    ],
  };
}

type Section = Guide["sections"][number];

function before(api: string): Section {
  const isLocal = /^http:\/\/(localhost|127\.0\.0\.1)(:|$)/.test(api);
  const receiver = isLocal ? LOCAL_RECEIVER : "https://your-tunnel.acme.io";
  return {
    id: "before",
    title: "Before you start",
    blocks: [
      "Your Almanac administrator registers your application, in the dashboard or with `BOOTSTRAP_APPLICATIONS`, and gives you a client id and secret. If you run Almanac on your own machine, the demo application's are in `.data/demo.env`.",
      `Callback URLs must be public: use the https URL of a tunnel to port 9999. If Almanac runs on your own machine, use \`${LOCAL_RECEIVER}\`, which it allows there unless \`CALLBACK_ALLOWED_ORIGINS\` is set.`,
      "Each block continues the one before. Paste them into one session of your shell, or of `node`, `python3` or `irb`. With PHP, put them into one file.",
      {
        step: "Your application",
        codes: setting({
          API: api,
          CLIENT_ID: "your-client-id",
          CLIENT_SECRET: "your-client-secret",
          RECEIVER: receiver,
        }),
      },
    ],
  };
}

function token(document: OpenApiDocument): Section {
  return {
    id: "calendar",
    title: "Get a token",
    blocks: [
      "An application calendar is hosted by Almanac, so nobody has to sign in. Choose any id: the same id always opens the same calendar. The response contains an access token (valid for 3 hours) and a long-lived refresh token.",
      step({
        name: "Open a calendar and get a token",
        request: {
          method: "POST",
          url: "{API}/v1/application_calendars",
          form: { client_id: "{CLIENT_ID}", client_secret: "{CLIENT_SECRET}", application_calendar_id: FIRST_CALENDAR },
          piece: {
            result: "opened",
            keep: [
              {
                variable: "TOKEN",
                path: ["access_token"],
                orElse: "No access token. Check API, CLIENT_ID and CLIENT_SECRET.",
              },
            ],
          },
        },
        response: recordedFirst(document, "openApplicationCalendar", "open"),
      }),
      "All other requests use this token. It belongs to one [account](/docs/concepts#account):",
      step({
        name: "Get the account",
        request: { method: "GET", url: "{API}/v1/account", token: true, piece: { result: "account" } },
        response: recordedFirst(document, "showAccount", "application_calendar"),
      }),
      step({
        name: "Get the calendar's id",
        request: {
          method: "GET",
          url: "{API}/v1/calendars",
          token: true,
          piece: {
            result: "calendars",
            keep: [
              {
                variable: "CALENDAR",
                path: ["calendars", 0, "calendar_id"],
                orElse: "No calendar. Check TOKEN.",
              },
            ],
          },
        },
        response: firstCalendars(document),
      }),
    ],
  };
}

const signingSecret = {
  variable: "SIGNING_SECRET",
  path: ["channel", "signing_secret"],
  orElse: "No channel. Check RECEIVER and CALLBACK_ALLOWED_ORIGINS.",
} as const;
/** A test event is sent to it. */
const channelId = { variable: "CHANNEL_ID", path: ["channel", "channel_id"] } as const;

function channel(document: OpenApiDocument): Section {
  return {
    id: "channel",
    title: "Create a channel",
    blocks: [
      "A channel notifies your URL whenever someone else changes a calendar. Store the `signing_secret` from the response: it is returned only once.",
      step({
        name: "Create a channel",
        request: {
          method: "POST",
          url: "{API}/v1/channels",
          token: true,
          json: { callback_url: "{RECEIVER}/calendar-changes" },
          piece: {
            result: "channel",
            keep: isSandboxOff(document) ? [signingSecret, { ...signingSecret, ...channelId }] : [signingSecret],
          },
        },
        response: recorded(document, "openChannel", "every_calendar"),
      }),
    ],
  };
}

function receive(): Section {
  return {
    id: "receive",
    title: "Receive webhooks",
    blocks: [
      "Each notification is signed: `Svc-Signature` has the time and an HMAC of the time and the raw body, keyed with the signing secret. Save this receiver in a file.",
      { list: "receiver code" },
      "Start it in a second shell, with the signing secret that the last block printed.",
      {
        step: "Start the receiver",
        codes: {
          node: "SIGNING_SECRET=whsec_… node receiver.mjs",
          python: "SIGNING_SECRET=whsec_… python3 receiver.py",
          ruby: "SIGNING_SECRET=whsec_… ruby receiver.rb",
          php: "SIGNING_SECRET=whsec_… php -S 127.0.0.1:9999 receiver.php",
        },
      },
      `Almanac has already sent a \`verification\`. Nothing was listening, so it is sent again ${limits.firstWait} later.`,
    ],
  };
}

/** Where the sandbox is off, only a test event arrives without another person. */
function testEvent(document: OpenApiDocument): Section {
  return {
    id: "change",
    title: "Get a verified change",
    blocks: [
      "The [sandbox](/docs/sandbox), in which you could play another person, is off on this service. Send a test event instead: a `change` that nothing caused, signed and retried like any other.",
      step({
        name: "Send a test event",
        request: {
          method: "POST",
          url: "{API}/v1/channels/{CHANNEL_ID}/test",
          token: true,
          piece: { result: "tested" },
        },
        response: recorded(document, "testChannel", "test"),
      }),
      ...printedByReceiver(document),
      "Read what changed from the time in the notification on: after a test event, nothing has. [Webhooks](/docs/webhooks) has the verification with both signatures, retries, and how to rotate secrets.",
      readChanges([], today),
      "To see a change with something to read, [connect a calendar of yours](#connect), create a channel with its token, and change an event in your calendar app.",
    ],
  };
}

function change(document: OpenApiDocument): Section {
  return {
    id: "change",
    title: "Get a verified change",
    blocks: [
      "In the [sandbox](/docs/sandbox) you play the other person. Here, somebody invites the user.",
      step({
        name: "Somebody invites the user",
        before: today,
        request: {
          method: "POST",
          url: "{API}/v1/sandbox/changes",
          token: true,
          json: {
            type: "event_created",
            calendar_id: "{CALENDAR}",
            event: { summary: "Kick-off", start: "{DAY}T14:00:00Z", end: "{DAY}T15:00:00Z" },
            organizer: { email: "ada@acme.io", display_name: "Ada" },
          },
          showsStatus: true,
          piece: { result: "played" },
        },
        response: accepted,
      }),
      ...printedByReceiver(document),
      "Now read what changed, from the time in the notification on. [Webhooks](/docs/webhooks) has the verification with both signatures, retries, and how to rotate secrets.",
      readChanges([firstEvents(document).kickOff]),
    ],
  };
}

function printedByReceiver(document: OpenApiDocument): Block[] {
  return [
    "About a second later, the receiver prints a verified `change`:",
    code("text", "The receiver's output", [`verified ${JSON.stringify(notification(document))}`]),
  ];
}

function readChanges(events: Parameters<typeof onePage>[1], before?: InEveryLanguage): Step {
  return step({
    name: "Read what changed",
    before,
    request: {
      method: "GET",
      url: "{API}/v1/events",
      query: [
        ["tzid", "Etc/UTC"],
        ["last_modified", "{DAY}T00:00:00Z"],
        ["include_deleted", "true"],
      ],
      token: true,
      piece: { result: "changes" },
    },
    response: onePage("events", events),
  });
}

/** The document's own example of what is sent. */
function notification({ webhooks }: OpenApiDocument): unknown {
  return webhooks.notification?.post?.requestBody?.content["application/json"]?.examples?.change?.value;
}
