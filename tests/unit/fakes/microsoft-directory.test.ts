import type { Client } from "@microsoft/microsoft-graph-client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Application } from "../../fakes/microsoft/applications";
import type { MicrosoftFake } from "../../fakes/microsoft/microsoft";
import { failure, graphClient, type Listed, meeting } from "./microsoft-client";
import { clientOf, organization } from "./microsoft-organizations";

let microsoft: MicrosoftFake;
let application: Application;
let api: Client;

beforeEach(async () => {
  ({ microsoft, application, api } = await organization());
});
afterEach(() => microsoft.close());

const SELECT = "$select=id,mail,userPrincipalName,displayName,accountEnabled,proxyAddresses";
const denied = { status: 403, code: "Authorization_RequestDenied" };
/** A list that a $filter selects. */
const list = async (path: string, filter: string, more = "$select=id") =>
  (await api.api(`${path}?$filter=${encodeURIComponent(filter)}&${more}`).get()).value;

describe("users", () => {
  it("are found by userPrincipalName, address and alias", async () => {
    const { oid } = microsoft.account("ada@example.com");
    const of = (address: string) =>
      `userPrincipalName eq '${address}' or mail eq '${address}' or proxyAddresses/any(p:p eq 'smtp:${address}')`;
    const ada = {
      id: oid,
      mail: "ada@example.com",
      userPrincipalName: "ada@example.com",
      displayName: "Ada Lovelace",
      accountEnabled: true,
      proxyAddresses: ["SMTP:ada@example.com", "smtp:countess@example.com"],
    };
    expect(await list("/users", of("ADA@example.com"), SELECT)).toEqual([ada]);
    expect(await list("/users", of("countess@example.com"), SELECT)).toEqual([ada]);
    expect(await list("/users", of("zoe@other.test"))).toEqual([]);
    expect(await list("/users", of("o''neill@example.com"))).toEqual([]);
    const { tid } = microsoft.account("bob@example.com");
    const other = microsoft.addAccount({ email: "o'neill@example.com", tid });
    expect(await list("/users", of("o''neill@example.com"))).toEqual([{ id: other.oid }]);
  });

  it("are those of the tenant alone", async () => {
    const { value } = await api.api("/users").get();
    expect(value.map(({ mail }: { mail: string }) => mail)).toEqual(["ada@example.com", "bob@example.com"]);
    expect(value[0]).not.toHaveProperty("proxyAddresses");
  });

  it.each(["displayName eq 'Ada'", "proxyAddresses eq 'smtp:a'", "startsWith(mail,'a')", "mail eq 'a' and id eq 'b'"])(
    "400 for the filter %s",
    async (filter) => {
      expect(await failure(list("/users", filter))).toEqual({ status: 400, code: "Request_UnsupportedQuery" });
    },
  );

  it("are read by id and by userPrincipalName, with what is returned only on $select", async () => {
    const { oid } = microsoft.account("bob@example.com");
    microsoft.account("bob@example.com").disable();
    for (const key of [oid, "bob@example.com"]) {
      expect(await api.api(`/users/${key}?${SELECT}`).get()).toMatchObject({
        id: oid,
        displayName: "Bob O'Neill",
        accountEnabled: false,
        proxyAddresses: ["SMTP:bob@example.com"],
      });
    }
    expect(await api.api(`/users/${oid}`).get()).not.toHaveProperty("accountEnabled");
  });

  it("404 for who is not in the tenant, and for an alias", async () => {
    for (const key of ["zoe@other.test", "nobody@example.com", "countess@example.com"]) {
      expect(await failure(api.api(`/users/${key}`).get())).toEqual({ status: 404, code: "Request_ResourceNotFound" });
    }
  });

  it("have no mail once their licence is gone", async () => {
    microsoft.account("bob@example.com").removeMailbox();
    expect(await api.api(`/users/bob@example.com?${SELECT}`).get()).toMatchObject({ mail: null, accountEnabled: true });
  });
});

describe("groups", () => {
  it("are found by address, and know their members", async () => {
    const staff = microsoft.addGroup("staff@example.com", ["countess@example.com"]);
    const empty = microsoft.addGroup("empty@example.com", []);
    microsoft.addGroup("staff@other.test", ["zoe@other.test"]);
    expect(await list("/groups", "mail eq 'Staff@example.com'")).toEqual([{ id: staff }]);
    expect(await list("/groups", "mail eq 'staff@other.test'")).toEqual([]);
    const groupsOf = async (user: string, groupIds: string[]) =>
      (await api.api(`/users/${user}/checkMemberGroups`).post({ groupIds })).value;
    expect(await groupsOf("ada@example.com", [empty, staff])).toEqual([staff]);
    expect(await groupsOf(microsoft.account("bob@example.com").oid, [empty, staff])).toEqual([]);
    const many = Array.from({ length: 21 }, () => staff);
    expect(await failure(groupsOf("ada@example.com", many))).toMatchObject({ status: 400 });
    expect(await failure(groupsOf("zoe@other.test", [staff]))).toEqual({
      status: 404,
      code: "Request_ResourceNotFound",
    });
  });
});

describe("rooms", () => {
  beforeEach(() => {
    microsoft.addRoom({ name: "Turing Room", capacity: 8, building: "Head Office", floorLabel: "2" });
    microsoft.addRoom({ name: "Hopper", email: "hopper@example.com", capacity: 4, building: "Annex" });
    microsoft.addRoom({ name: "Elsewhere", email: "elsewhere@other.test", capacity: 4, building: "Annex" });
  });

  it("are listed page by page, and read by id and address", async () => {
    const first: Listed<object> = await api.api("/places/microsoft.graph.room?$top=1").get();
    const turing = {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      displayName: "Turing Room",
      emailAddress: "turing-room@example.com",
      capacity: 8,
      building: "Head Office",
      floorLabel: "2",
    };
    expect(first.value).toMatchObject([turing]);
    const second: Listed<object> = await api.api(first["@odata.nextLink"] ?? "").get();
    expect(second.value).toMatchObject([{ emailAddress: "hopper@example.com" }]);
    expect(second).not.toHaveProperty("@odata.nextLink");
    const { id } = await api.api("/places/turing-room@example.com").get();
    expect(await api.api(`/places/${id}`).get()).toMatchObject(turing);
    expect(id).not.toBe(microsoft.account("turing-room@example.com").oid);
    expect(await failure(api.api("/places/elsewhere@other.test").get())).toMatchObject({ status: 404 });
  });

  it("may come without links to further pages, which $skip gets all the same", async () => {
    microsoft.knobs.linksRooms = false;
    const first: Listed<object> = await api.api("/places/microsoft.graph.room?$top=1").get();
    expect(first).not.toHaveProperty("@odata.nextLink");
    const { value } = await api.api("/places/microsoft.graph.room?$top=1&$skip=1").get();
    expect(value).toMatchObject([{ displayName: "Hopper" }]);
  });

  it("are accounts with a mailbox that nobody signs in to", async () => {
    const room = "/users/hopper@example.com";
    expect(await api.api(`${room}?${SELECT}`).get()).toMatchObject({ displayName: "Hopper", accountEnabled: false });
    const { id } = await api.api(`${room}/events`).post(meeting());
    expect((await api.api(`${room}/events`).get()).value).toMatchObject([{ id }]);
  });
});

describe("access", () => {
  it.each<[string, string, string, object]>([
    ["GET", "/users", "User.Read.All", denied],
    ["GET", "/users/ada@example.com", "User.Read.All", denied],
    ["GET", "/groups", "GroupMember.Read.All", denied],
    ["POST", "/users/ada@example.com/checkMemberGroups", "GroupMember.Read.All", denied],
    ["POST", "/users/ada@example.com/checkMemberGroups", "User.Read.All", denied],
    ["GET", "/places/microsoft.graph.room", "Place.Read.All", { status: 403, code: "ErrorAccessDenied" }],
    ["GET", "/places/hopper@example.com", "Place.Read.All", { status: 403, code: "ErrorAccessDenied" }],
  ])("403 for %s %s without %s", async (method, path, role, error) => {
    application.roles.delete(role);
    const request = (await clientOf(microsoft, application)).api(path);
    expect(await failure(method === "GET" ? request.get() : request.post({ groupIds: [] }))).toEqual(error);
  });

  it("403 to a user's own token", async () => {
    const own = graphClient(microsoft);
    for (const path of ["/users", "/groups"]) expect(await failure(own.api(path).get())).toEqual(denied);
  });
});
