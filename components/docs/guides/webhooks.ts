import { code, type Guide, shell } from "@/components/docs/guide";

/** What is sent to callback URLs, and how to take it ("Webhook receiver contract"). */
export function webhooksGuide(): Guide {
  return {
    name: "Webhooks",
    path: "/docs/webhooks",
    title: "Webhooks",
    lead: "A channel tells your application that calendars changed, about a second after they did. What changed you read with one request; so a notification that comes twice, late or out of order does no harm.",
    sections: [
      {
        id: "what",
        title: "What is sent",
        blocks: [
          "A POST with a small JSON body, the same bytes on every attempt.",
          code("json", "A change", [
            "{",
            `  "notification": {`,
            `    "type": "change",`,
            `    "changes_since": "2026-11-21T09:30:00Z"`,
            "  },",
            `  "channel": {`,
            `    "channel_id": "chn_4c14d09f81fe80a3f41cc0c9",`,
            `    "callback_url": "https://app.acme.io/calendar-changes",`,
            `    "filters": {}`,
            "  }",
            "}",
          ]),
          [
            "| Type | Sent when |",
            "|---|---|",
            "| `verification` | once, when the channel is opened |",
            "| `change` | something changed in the account's calendars, a guest's reply too; `changes_since` says from when on to read |",
            "| `profile_disconnected` | a connected calendar account has to be connected again |",
            "| `profile_initial_sync_completed` | a newly connected calendar account was read for the first time |",
          ].join("\n"),
          "What your application changes through the API is never told back to it. Several changes within about a second are one notification. The channel's filters say which calendars count, and whether only events that you created do. Types may be added: answer 2xx to those you do not know.",
          [
            "| Header | Holds |",
            "|---|---|",
            "| `Svc-Signature` | `t=…,v1=…`: the time in seconds, and the hex HMAC-SHA256 of `<t>.<raw body>`, keyed with the channel's `signing_secret` |",
            "| `Svc-HMAC-SHA256` | the base64 HMAC-SHA256 of the raw body, keyed with the client secret; one for each active secret, with commas between them |",
            "| `Svc-Delivery-Id` | `whd_…`, the same on every attempt of one notification |",
            "| `Svc-Delivery-Attempt` | 1 for the first attempt |",
          ].join("\n"),
        ],
      },
      {
        id: "answer",
        title: "How to take it",
        blocks: [
          [
            "1. Read the body as raw bytes, before anything parses it.",
            "2. Verify both signatures with the code below. Answer 400 where they fail, and do nothing else.",
            "3. Look up `Svc-Delivery-Id`. When you have it already, answer 204 and stop.",
            "4. Store the id and put the work into a queue of your own.",
            "5. Answer any 2xx within 5 seconds. Read the changes afterwards, not before.",
          ].join("\n"),
          "Keep delivery ids for three days: nothing is tried again after that, unless a person replays it.",
        ],
      },
      {
        id: "verify",
        title: "Verify the signatures",
        blocks: [
          "The code needs nothing beyond each language's own library. It compares in constant time, refuses times more than 5 minutes away, and takes any of several HMACs. It is run against real deliveries, good and forged, in every test of Almanac.",
          { list: "webhook code" },
          "The raw body has to reach it unchanged; a body that was parsed and written again is another body.",
          [
            "| With | The raw body | A header |",
            "|---|---|---|",
            '| Node, Express | `express.raw({ type: "application/json" })`, then `req.body` | `req.get("svc-signature")` |',
            '| Node, Fastify | a content type parser with `parseAs: "buffer"` | `request.headers["svc-signature"]` |',
            '| Python, Flask | `request.get_data()` | `request.headers.get("Svc-Signature", "")` |',
            '| Python, Django | `request.body` | `request.headers.get("Svc-Signature", "")` |',
            '| Ruby, Rails | `request.raw_post` | `request.headers["Svc-Signature"]` |',
            "| PHP | `file_get_contents('php://input')` | `$_SERVER['HTTP_SVC_SIGNATURE'] ?? ''` |",
            '| Go, net/http | `io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))` | `r.Header.Get("Svc-Signature")` |',
          ].join("\n"),
          "In [compatibility mode](/docs/compatibility) there is no `Svc-Signature`: leave out that half of the code.",
        ],
      },
      {
        id: "read",
        title: "Read what changed",
        blocks: [
          "Give `changes_since` back as `last_modified`, with the account's token, and ask for deleted events too. It reaches back far enough that nothing is missed; you may be given an event that you know already.",
          shell(
            "Everything since the notification",
            `curl -sG $API/v1/events -H "Authorization: Bearer $TOKEN" \\`,
            "  --data-urlencode tzid=Etc/UTC \\",
            "  --data-urlencode last_modified=2026-11-21T09:30:00Z \\",
            "  --data-urlencode include_deleted=true",
          ),
          "Two notifications may overtake one another. Keep the earliest `changes_since` that you have not read, and start there. `include_managed=true` also gives changes that people made to events of yours.",
        ],
      },
      {
        id: "retries",
        title: "When you do not answer",
        blocks: [
          "Anything but a 2xx within 5 seconds is a failed attempt: another status, a redirect, a connection that breaks. There are ten attempts in all.",
          [
            "| Attempt | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 |",
            "|---|---|---|---|---|---|---|---|---|---|---|",
            "| After | at once | 15 s | 1 min | 5 min | 15 min | 1 h | 2 h | 4 h | 6 h | 10 h |",
          ].join("\n"),
          "Each wait begins when the attempt before it failed and is up to a tenth longer, so that receivers are not hit by all at once. After the tenth attempt, or 48 hours after its creation, a delivery is given up. Staff can send it again from the dashboard, with the same `Svc-Delivery-Id`.",
          "Delivery is at least once, and in no promised order: an answer that was lost on the way brings the same notification again.",
          "**410 closes the channel.** Nothing more is sent to it, and what was waiting is dropped. Answer it for callback URLs that are gone for good, never for a fault of your own.",
        ],
      },
      {
        id: "rotation",
        title: "Change a secret",
        blocks: [
          [
            "1. Have a second client secret added on the dashboard. From now on `Svc-HMAC-SHA256` holds two values, and the API takes either secret.",
            "2. Give your receivers the new secret. The code above accepts it beside the old one's value.",
            "3. Have the old secret retired. One value is left.",
          ].join("\n"),
          "A channel's `signing_secret` lasts as long as the channel. To change it open a second channel with the same callback URL, accept both for a moment, and close the first.",
        ],
      },
      {
        id: "local",
        title: "Try it on your own machine",
        blocks: [
          "Callback URLs have to be public. An Almanac that you run yourself lets others through by name:",
          shell("Let a receiver of your own through", "CALLBACK_ALLOWED_ORIGINS=http://127.0.0.1:9999 npm start"),
          code("javascript", "receiver.mjs, beside node.mjs from above", [
            `import { createServer } from "node:http";`,
            `import { env } from "node:process";`,
            `import { verify } from "./node.mjs";`,
            "",
            "createServer(async (req, res) => {",
            "  const chunks = [];",
            "  for await (const chunk of req) chunks.push(chunk);",
            "  const isOurs = verify({",
            "    body: Buffer.concat(chunks),",
            `    signature: req.headers["svc-signature"],`,
            `    hmacs: req.headers["svc-hmac-sha256"],`,
            "    signingSecret: env.SIGNING_SECRET,",
            "    clientSecret: env.CLIENT_SECRET,",
            "  });",
            `  console.log(isOurs, req.headers["svc-delivery-id"], String(Buffer.concat(chunks)));`,
            "  res.writeHead(isOurs ? 204 : 400).end();",
            `}).listen(9999, "127.0.0.1");`,
          ]),
          "The secret is known once the channel is open, so this receiver starts after it. The `verification` finds nobody listening at first and comes again 15 seconds later.",
          shell(
            "Open the channel, then start the receiver",
            `SIGNING_SECRET=$(curl -s $API/v1/channels -H "Authorization: Bearer $TOKEN" \\`,
            `  -H "Content-Type: application/json" -d '{ "callback_url": "http://127.0.0.1:9999/hook" }' |`,
            `  sed -n 's/.*"signing_secret":"\\([^"]*\\)".*/\\1/p')`,
            "export SIGNING_SECRET CLIENT_SECRET",
            "node receiver.mjs",
          ),
          "Why something did not arrive, attempt by attempt, is on the dashboard under Deliveries.",
        ],
      },
    ],
  };
}
