import { describe, expect, it } from "vitest";
import { WINDOWS_TO_IANA_MAP } from "windows-iana";
import { namedZone } from "@/server/domain/time/named-zone";
import { similarZone, zoneFault } from "@/server/domain/time/similar-zone";
import { zone } from "@/server/domain/time/zone";
import { windowsNameOf, zoneNamed } from "@/server/providers/zone-names";

const names = [...new Set(WINDOWS_TO_IANA_MAP.map(({ windowsName }) => windowsName))];

describe("a time zone by its name", () => {
  it("is stored as an IANA name in the caller's own spelling", () => {
    for (const tzid of ["Europe/Berlin", "europe/berlin", "US/Pacific", "Asia/Calcutta", "Etc/GMT+5", "utc"]) {
      expect(namedZone(tzid)).toEqual({ tzid, zone: zone(tzid) });
    }
  });

  it.each([
    ["W. Europe Standard Time", "Europe/Berlin"],
    ["w. europe standard time", "Europe/Berlin"],
    ["W. Europe Daylight Time", "Europe/Berlin"],
    ["W. Europe Summer Time", "Europe/Berlin"],
    ["Pacific Standard Time", "America/Los_Angeles"],
    ["Pacific Daylight Time", "America/Los_Angeles"],
    ["Eastern Daylight Time (Mexico)", "America/Cancun"],
    ["Mountain Standard Time (Mexico)", "America/Mazatlan"],
    ["GMT Standard Time", "Europe/London"],
    ["India Standard Time", "Asia/Calcutta"],
    ["Russia Time Zone 11", "Asia/Kamchatka"],
    ["UTC-11", "Etc/GMT+11"],
    ["UTC+13", "Etc/GMT-13"],
  ])("%s is stored as %s", (windows, tzid) => {
    expect(namedZone(windows)).toEqual({ tzid, zone: zone(tzid) });
  });

  it("may be each of Windows' names, in any case, and is the zone that the same name is read as", () => {
    for (const name of names) {
      const found = namedZone(name);
      expect([name, found?.zone]).toEqual([name, zone(found?.tzid ?? "")]);
      expect(found?.zone).not.toBeNull();
      expect(namedZone(name.toUpperCase())?.zone).toBe(found?.zone);
      expect(zoneNamed(name)).toEqual(found);
    }
  });

  it("is written to Windows by a name that is read as the same zone", () => {
    for (const name of names) {
      const tzid = namedZone(name)?.tzid ?? "";
      const from = Date.UTC(2026, 0, 1) as Parameters<typeof windowsNameOf>[1];
      expect(namedZone(windowsNameOf(tzid, from) ?? "")?.zone).toBe(zone(tzid));
    }
  });

  it.each(["", "Standard Time", "W. Europe Standard Time ", "W.Europe Standard Time", "(UTC+01:00) Berlin", "Europe"])(
    "is unknown: %j",
    (text) => {
      expect(namedZone(text)).toBeNull();
    },
  );
});

describe("the zone that a wrong name probably means", () => {
  it.each([
    ["Europe/Berln", "Europe/Berlin"],
    ["Europe/Berliin", "Europe/Berlin"],
    ["Europe/Zürich", "Europe/Zurich"],
    ["Amercia/New_York", "America/New_York"],
    ["US/Estern", "US/Eastern"],
    ["US/Pacifc", "US/Pacific"],
    ["Asia/Calcuta", "Asia/Calcutta"],
    ["America/New York", "America/New_York"],
    ["america/los angeles", "America/Los_Angeles"],
    ["America/Port au Prince", "America/Port-au-Prince"],
    [" Europe/Berlin ", "Europe/Berlin"],
    ["Europe-Berlin", "Europe/Berlin"],
    ["Berlin", "Europe/Berlin"],
    ["NEW YORK", "America/New_York"],
    ["Asia/Sydney", "Australia/Sydney"],
    ["W Europe Standard Time", "Europe/Berlin"],
    ["Estern Standard Time", "America/New_York"],
    ["PST", "America/Los_Angeles"],
    ["edt", "America/New_York"],
    ["BST", "Europe/London"],
    ["IST", "Asia/Kolkata"],
    ["CEST", "Europe/Paris"],
  ])("%j: %s", (text, similar) => {
    expect(zone(text)).toBeNull();
    expect(zoneFault(text)).toBe(`is not an IANA time zone: did you mean ${similar}?`);
  });

  it.each(["", "Mars/Olympus", "Europe", "../etc/passwd", "+02:00", "UTC+2", "GMT+1", "Etc/GMT+20", "No/Where", "PTS"])(
    "%j: none is near",
    (text) => {
      expect(zoneFault(text)).toBe("is not an IANA time zone");
    },
  );

  it("has no mistake of one letter that it does not find, and names only zones that exist", () => {
    for (const name of ["Europe/Berlin", "America/New_York", "Australia/Sydney", "Asia/Tokyo", "US/Eastern"]) {
      for (let i = 1; i < name.length; i++) {
        const mistaken = [name.slice(0, i) + name.slice(i + 1), `${name.slice(0, i)}x${name.slice(i)}`];
        for (const text of mistaken) {
          if (zone(text) === null) expect(zone(similarZone(text) ?? ""), text).toBe(zone(name));
        }
      }
    }
  });
});
