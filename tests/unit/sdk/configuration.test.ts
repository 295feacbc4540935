import { expect, it } from "vitest";
import { Almanac, type AlmanacOptions, ConfigurationError } from "@/sdk/src/index";

const options = { baseUrl: "https://api.acme.io", clientId: "client", clientSecret: "secret" };

it.each<[keyof AlmanacOptions, string | undefined, RegExp]>([
  ["baseUrl", "", /^baseUrl is missing: set it to the URL of your Almanac service, such as https:/],
  ["baseUrl", undefined, /^baseUrl is missing/],
  ["baseUrl", "api.acme.io", /^baseUrl must begin with https:\/\/ or http:\/\/, but is "api\.acme\.io"$/],
  ["baseUrl", "localhost:3000", /^baseUrl must begin/],
  ["baseUrl", "/v1", /^baseUrl must begin/],
  ["baseUrl", "https://", /^baseUrl must begin/],
  ["appUrl", "app.acme.io", /^appUrl must begin/],
  ["clientId", "", /^clientId is missing/],
  ["clientSecret", "", /^clientSecret is missing/],
])("a client is not created with the %s %j", (name, value, message) => {
  const create = () => new Almanac({ ...options, [name]: value });
  expect(create).toThrow(ConfigurationError);
  expect(create).toThrow(message);
});

it("a client is created with a URL in capitals, with a port and with a path", () => {
  for (const baseUrl of ["HTTPS://API.ACME.IO", "http://localhost:3000", "https://acme.io/almanac/"]) {
    expect(() => new Almanac({ ...options, baseUrl })).not.toThrow();
  }
});
