import type { Guide } from "@/components/docs/guide";

/** What the clients do, and what there is for other languages. */
export function clientLibrariesGuide(): Guide {
  return {
    name: "Client libraries",
    path: "/docs/client-libraries",
    title: "Client libraries",
    lead: "The TypeScript and Python clients have a method for every endpoint. They renew tokens, follow pages, retry what is safe to retry and verify webhooks. You can also use any HTTP client: the rest of this documentation assumes none.",
    sections: [
      {
        id: "typescript",
        title: "TypeScript",
        blocks: [
          "`almanac-calendar` has no dependencies and needs only `fetch` and WebCrypto. It is tested on Node 20. Its types are generated from the [OpenAPI document](/openapi.json). It is part of Almanac's repository, in the folder `sdk`, and not on the npm registry yet. Pack it from a checkout in which `npm ci` has run, create one client, then write an event and read it back:",
          { list: "typescript code" },
          "The README in `sdk` continues with webhooks, connecting a user, storing tokens, errors and retries.",
        ],
      },
      {
        id: "python",
        title: "Python",
        blocks: [
          "The Python client does the same with Python 3.11 and its standard library, and threads can share it. Install it from the checkout with `pip install ../almanac/sdk/python`.",
          { list: "python code" },
        ],
      },
      {
        id: "behavior",
        title: "What the clients do for you",
        blocks: [
          [
            "| What | How |",
            "|---|---|",
            "| Tokens | Renewed a minute before they expire or after a 401, with one request however many calls are waiting. A store that you pass gets the new token |",
            "| Pages | A loop over a list requests each page when it is needed |",
            "| Errors | A class for each status. A 422 has its keys by field, and the keys are typed |",
            "| Retries | Reads and writes of events after a 5xx or a lost connection, everything after a 429, and never before `Retry-After` has passed |",
            "| Webhooks | HMAC, signature and age are verified over the raw body, in constant time |",
          ].join("\n"),
          "Fields and parameters have the names of the [API reference](/docs/reference), so what you read there is what you write.",
        ],
      },
      {
        id: "generate",
        title: "Other languages",
        blocks: [
          "To try requests without code, import the [collection](/openapi/postman.json) into Postman, Bruno or Insomnia. Set your client id and secret: its requests then work from top to bottom, also with newman.",
          "Generate a client from the [OpenAPI document](/openapi.json) with the generator of your choice, and take the [verification of webhooks](/docs/webhooks#verify) in Ruby, PHP or Go from this documentation. Clients of Cronofy's API work in [compatibility mode](/docs/compatibility).",
        ],
      },
    ],
  };
}
