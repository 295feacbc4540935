import { code, type Guide, isSandboxOff, recorded, shell, step } from "@/components/docs/guide";
import { notificationTypes } from "@/server/domain/channels/notification-types";
import { WAITS_MS } from "@/server/domain/channels/schedule";
import { shortDuration } from "@/server/domain/time/duration-words";
import { limits } from "@/server/http/limits";
import type { OpenApiDocument } from "@/server/http/openapi/document-shape";

/** What Almanac sends to callback URLs, and how to handle it ("Webhook receiver contract"). */
export function webhooksGuide(document: OpenApiDocument): Guide {
  const example = changeExample(document);
  return {
    name: "Webhooks",
    path: "/docs/webhooks",
    title: "Webhooks",
    lead: "A channel notifies your application about a second after a calendar changes. You then read the changes with one request, so duplicate, late or out-of-order notifications are harmless.",
    sections: [
      {
        id: "what",
        title: "Notifications",
        blocks: [
          "A notification is a POST request with a small JSON body. Every attempt sends the same bytes.",
          code("json", "A change", JSON.stringify(example, null, 2).split("\n")),
          [
            "| Type | Sent when |",
            "|---|---|",
            ...Object.entries(notificationTypes).map(([type, sentWhen]) => `| \`${type}\` | ${sentWhen} |`),
          ].join("\n"),
          "Almanac doesn't notify you of changes your application makes through the API. Changes within about a second are combined into one notification. The channel's filters select the calendars to watch, and whether only your own events count. New types may be added: respond with 2xx to types you don't know.",
          [
            "| Header | Value |",
            "|---|---|",
            "| `Svc-Signature` | `t=…,v1=…`: the Unix time in seconds, and the hex HMAC-SHA256 of `<t>.<raw body>`, keyed with the channel's whole `signing_secret`, `whsec_` included |",
            "| `Svc-HMAC-SHA256` | the base64 HMAC-SHA256 of the raw body, keyed with the client secret; comma-separated if there are several active secrets |",
            "| `Svc-Delivery-Id` | `whd_…`, the same on every attempt of one delivery |",
            "| `Svc-Delivery-Attempt` | the number of the attempt, starting at 1 |",
          ].join("\n"),
        ],
      },
      {
        id: "handle",
        title: "Handle a webhook",
        blocks: [
          [
            "1. Read the raw body before you parse it.",
            "2. Verify both signatures with the code below. If either fails, respond with 400 and stop.",
            "3. Look up `Svc-Delivery-Id`. If you have already handled it, respond with 204 and stop.",
            "4. Store the id and add the work to a queue.",
            `5. Respond with any 2xx within ${limits.response}. Read the changes afterwards.`,
          ].join("\n"),
          "Keep delivery ids for three days. After that, a delivery is sent again only if someone replays it in the dashboard.",
        ],
      },
      {
        id: "verify",
        title: "Verify signatures",
        blocks: [
          "This code uses only each language's standard library. It compares in constant time, rejects timestamps more than 5 minutes off, and accepts any of several HMACs. Almanac's tests run it against valid and forged deliveries.",
          { list: "webhook code" },
          "Pass the raw body unchanged: re-serialized JSON will not verify.",
          [
            "| Framework | Raw body | Header |",
            "|---|---|---|",
            '| Node, Express | `express.raw({ type: "application/json" })`, then `req.body` | `req.get("svc-signature")` |',
            '| Node, Fastify | a content type parser with `parseAs: "buffer"` | `request.headers["svc-signature"]` |',
            '| Python, Flask | `request.get_data()` | `request.headers.get("Svc-Signature", "")` |',
            '| Python, Django | `request.body` | `request.headers.get("Svc-Signature", "")` |',
            '| Ruby, Rails | `request.raw_post` | `request.headers["Svc-Signature"]` |',
            "| PHP | `file_get_contents('php://input')` | `$_SERVER['HTTP_SVC_SIGNATURE'] ?? ''` |",
            '| Go, net/http | `io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))` | `r.Header.Get("Svc-Signature")` |',
          ].join("\n"),
          "[Compatibility mode](/docs/compatibility) sends no `Svc-Signature`: remove that half of the code.",
        ],
      },
      {
        id: "read",
        title: "Read what changed",
        blocks: [
          "Pass `changes_since` as `last_modified`, with the account's token, and include deleted events. No change is missed, but you may see an event you already know.",
          step({
            name: "List changes since a notification",
            request: {
              method: "GET",
              url: "{API}/v1/events",
              query: [
                ["tzid", "Etc/UTC"],
                ["last_modified", example.notification.changes_since],
                ["include_deleted", "true"],
              ],
              token: true,
            },
            response: recorded(document, "listEvents", "since_notification"),
          }),
          "Notifications can arrive out of order. Keep the earliest `changes_since` that you haven't processed, and start there. To also see changes users made to events you created, pass `include_managed=true`.",
        ],
      },
      {
        id: "retries",
        title: "Retries",
        blocks: [
          `Anything other than a 2xx within ${limits.response} is a failed attempt, including redirects and dropped connections. Almanac makes up to ${limits.attemptsInWords} attempts.`,
          retryTable(),
          `Each wait starts when the previous attempt fails and is extended by up to 10% at random. Almanac gives up after the last attempt, ${limits.retried} after the first, or ${limits.delivery} after the delivery was created at the latest. Your Almanac administrator can replay a delivery from the dashboard; it keeps its \`Svc-Delivery-Id\`.`,
          "While a `change` notification is being retried, later changes on its channel wait and are then sent as one new notification. If the next scheduled retry is far off, a later change triggers an additional attempt, at most once a minute; the retry schedule doesn't change.",
          "Delivery is at least once and in no particular order. If your response gets lost, you receive the same notification again.",
          "**410 closes the channel.** Almanac stops sending notifications to it and cancels pending deliveries. Respond with 410 only if the callback URL is gone for good, never because of an error on your side.",
        ],
      },
      {
        id: "rotation",
        title: "Rotate secrets",
        blocks: [
          [
            "1. Ask your Almanac administrator to add a second client secret. From then on, `Svc-HMAC-SHA256` has two values and the API accepts both secrets.",
            "2. Deploy the new secret to your receivers. The code above accepts either value.",
            "3. Ask your Almanac administrator to retire the old secret. One value remains.",
          ].join("\n"),
          "A channel's `signing_secret` never changes. To rotate it, create a second channel with the same callback URL, accept both secrets for a moment, then close the first channel.",
        ],
      },
      {
        id: "local",
        title: "Test on your own machine",
        blocks: [
          "Callback URLs must be public. If you run Almanac on your own machine with the embedded database, it also allows `http://127.0.0.1:9999`. To allow other origins, set them:",
          shell("Allow a local receiver", "CALLBACK_ALLOWED_ORIGINS=http://127.0.0.1:9000 npm start"),
          code("javascript", "receiver.mjs, next to node.mjs from above", [
            `import { createServer } from "node:http";`,
            `import { env } from "node:process";`,
            `import { verify } from "./node.mjs";`,
            "",
            "createServer(async (req, res) => {",
            "  const chunks = [];",
            "  for await (const chunk of req) chunks.push(chunk);",
            "  const isValid = verify({",
            "    body: Buffer.concat(chunks),",
            `    signature: req.headers["svc-signature"],`,
            `    hmacs: req.headers["svc-hmac-sha256"],`,
            "    signingSecret: env.SIGNING_SECRET,",
            "    clientSecret: env.CLIENT_SECRET,",
            "  });",
            `  console.log(isValid, req.headers["svc-delivery-id"], String(Buffer.concat(chunks)));`,
            "  res.writeHead(isValid ? 204 : 400).end();",
            `}).listen(9999, "127.0.0.1");`,
          ]),
          "Every channel has its own signing secret, which you get when you create it: start the receiver afterwards, as in the [quickstart](/docs#channel). Then send it a test event.",
          step({
            name: "Send a test event",
            request: { method: "POST", url: "{API}/v1/channels/{CHANNEL}/test", token: true },
            response: code("json", "Response 202", [
              '{ "delivery": { "delivery_id": "whd_8c24ca3bdbf02bbe1dd9a8f7" } }',
            ]),
          }),
          `A test event is a \`change\` that nothing caused. Your receiver can't tell it from any other: the signatures and the retries are the same. The dashboard marks it, and has the same button beside every channel.${isSandboxOff(document) ? "" : " To see a change with something to read, [play another person](/docs/sandbox) in your application calendar."}`,
          "If a notification doesn't arrive, the dashboard shows every attempt under Deliveries.",
        ],
      },
    ],
  };
}

interface ChangeExample {
  notification: { type: string; changes_since: string };
}

/** The document's own example, whose time lies within what reads reach. */
function changeExample({ webhooks }: OpenApiDocument): ChangeExample {
  const content = webhooks.notification?.post?.requestBody?.content["application/json"];
  return content?.examples?.change?.value as ChangeExample;
}

/** Which attempt comes after which wait, a column each. */
function retryTable(): string {
  const waits = ["none", ...WAITS_MS.map(shortDuration)];
  const row = (head: string, cells: readonly unknown[]) => `| ${[head, ...cells].join(" | ")} |`;
  return [
    row(
      "Attempt",
      waits.map((_, index) => index + 1),
    ),
    `|${"---|".repeat(waits.length + 1)}`,
    row("Wait", waits),
  ].join("\n");
}
