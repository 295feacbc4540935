import { offerable } from "@/server/domain/providers";
import { openApiDocument } from "@/server/http/openapi/document";
import { exampleTime } from "@/server/http/openapi/examples/example";

/** The API's document as the files in docs/guides are written from it: of one's own machine, with every provider, on the day of the recording. */
export const writtenDocument = openApiDocument({
  baseUrl: "http://localhost:3000",
  appUrl: "http://localhost:3000",
  names: "product",
  offered: offerable,
  standIn: null,
  now: exampleTime,
});
