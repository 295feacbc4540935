import { expectTypeOf, it } from "vitest";
import type {
  AccountClient,
  Event,
  Events,
  Listed,
  Organizations,
  Paged,
  ReconnectLinkRequest,
  Resource,
  ServiceAccountAuthorization,
  Write,
} from "@/sdk/src/index";

it("the package exports the types that its methods take and return", () => {
  expectTypeOf<AccountClient["writes"]["list"]>().returns.toEqualTypeOf<Listed<Write>>();
  expectTypeOf<AccountClient["reconnectLinks"]["create"]>()
    .parameter(1)
    .toEqualTypeOf<ReconnectLinkRequest | undefined>();
  expectTypeOf<Events["list"]>().returns.toEqualTypeOf<Paged<Event>>();
  expectTypeOf<ServiceAccountAuthorization>().toExtend<Parameters<Organizations["authorize"]>[0]>();
  expectTypeOf<Awaited<ReturnType<Organizations["rooms"]>>["rooms"]>().toEqualTypeOf<Resource[]>();
  expectTypeOf<Paged<Event>>().toExtend<Listed<Event>>();
});
