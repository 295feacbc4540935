import { describe, expect, it } from "vitest";
import { checkCallbackUrl } from "@/server/domain/channels/callback-url";

/** The list that came with the specification: URL and reason. */
const notHttps: [string, string][] = [
  ["http://hooks.acme.io/cb", "scheme not https (errors.invalid_callback_url)"],
  ["ftp://hooks.acme.io/cb", "scheme"],
  ["gopher://localhost:25/_MAIL", "scheme gopher"],
  ["ldap://localhost:11211/%0astats%0aquit", "scheme ldap"],
  ["netdoc:///etc/passwd", "scheme netdoc"],
  ["data:text/plain,x", "scheme data"],
  ["wss://hooks.acme.io/", "scheme wss (not https)"],
  ["//hooks.acme.io/cb", "scheme-relative"],
  ["https://", "no host"],
  ["https:hooks.acme.io/cb", "no // (WHATWG still accepts it)"],
  ["https://hooks.acme.io\\@127.0.0.1/", "backslash parser differential"],
  ["https://1.1.1.1 &@2.2.2.2# @3.3.3.3/", "space in authority (Orange Tsai)"],
  [" https://hooks.acme.io/cb", "leading space (WHATWG trims)"],
  ["https://hooks.acme.io:65536/cb", "port out of range"],
  ["https://0o177.0.0.1/", "odd octal form; does not parse"],
  ["https://[fe80::1%25eth0]/", "zone id; does not parse in WHATWG"],
  ["https://xn--/", "broken punycode"],
];

const blocked: [string, string][] = [
  ["https://hooks.acme.io:80/cb", "port not 443"],
  ["https://user:pw@hooks.acme.io/cb", "credentials in URL"],
  ["https://@hooks.acme.io/cb", 'empty userinfo: u.username is "" but the authority has @'],
  ["https://127.0.0.1#@hooks.acme.io/", "fragment disguise, host is 127.0.0.1"],
  ["https://LOCALHOST/", "localhost upper case"],
  ["https://foo.localhost/", ".localhost TLD (RFC 6761)"],
  ["https://ip6-loopback/", "/etc/hosts name, single label"],
  ["https://host.docker.internal/", ".internal TLD"],
  ["https://kubernetes.default.svc.cluster.local/", ".local TLD"],
  ["https://router.lan/", ".lan"],
  ["https://1.0.0.127.in-addr.arpa/", ".arpa"],
  ["https://foo.test/cb", ".test (RFC 6761)"],
  ["https://foo.example/cb", ".example (RFC 6761)"],
  ["https://hooks.example.org/cb", "example host, subdomain"],
  ["https://ⓔⓧⓐⓜⓟⓛⓔ.ⓒⓞⓜ/", "enclosed alphanumerics normalise (UTS-46) to example.com"],
  ["https://127.127.127.127/", "IPv4 loopback range"],
  ["https://127.0.0.0/", "IPv4 loopback range"],
  ["https://127.0.1/", "IPv4 short form"],
  ["https://2130706433/", "decimal 127.0.0.1"],
  ["https://2852039166/", "decimal 169.254.169.254"],
  ["https://0x7f.0x0.0x0.0x1/", "hex octets"],
  ["https://0xc0a80101/", "hex 192.168.1.1"],
  ["https://017700000001/", "octal 127.0.0.1 (node-ip #161)"],
  ["https://012.1.2.3/", "octal 10.1.2.3 (CVE-2024-29415 PoC)"],
  ["https://0.0.0.0/", "unspecified; Linux connects to itself"],
  ["https://①②⑦.⓪.⓪.①/", "enclosed digits normalise to 127.0.0.1"],
  ["https://%31%32%37.0.0.1/", "percent-encoded host decodes to 127.0.0.1"],
  ["https://10.254.0.0/", "RFC 1918"],
  ["https://172.31.255.255/", "RFC 1918 upper edge"],
  ["https://100.64.0.1/", "CGNAT RFC 6598"],
  ["https://169.254.169.254/latest/meta-data/", "cloud metadata, link-local"],
  ["https://168.63.129.16/machine", "Azure wire server: a public-range address that libraries call unicast"],
  ["https://192.0.2.255/", "TEST-NET-1"],
  ["https://203.0.113.6/", "TEST-NET-3"],
  ["https://192.31.196.1/", "AS112"],
  ["https://192.175.48.1/", "AS112 direct"],
  ["https://224.1.2.3/", "multicast"],
  ["https://255.255.255.255/", "broadcast"],
  ["https://[::1]/", "IPv6 loopback"],
  ["https://[::ffff:127.0.0.1]/", "IPv4-mapped; WHATWG rewrites to ::ffff:7f00:1, which npm private-ip calls public"],
  ["https://[::ffff:169.254.169.254]/", "IPv4-mapped metadata"],
  ["https://[::ffff:0:127.0.0.1]/", "SIIT RFC 6145"],
  ["https://[64:ff9b::a9fe:a9fe]/", "NAT64 of metadata"],
  ["https://[2002:7f00:1::]/", "6to4 of 127.0.0.1"],
  ["https://[2001:0:7f00:1::1]/", "Teredo"],
  ["https://[3fff::dead:beef]/", "documentation RFC 9637"],
  ["https://[100::1]/", "discard-only"],
  ["https://[fd00:ec2::254]/latest/meta-data/", "AWS IPv6 metadata (ULA)"],
  ["https://[fe80::dead:beef]/", "link-local"],
  ["https://[ff02::1]/", "multicast"],
  ["https://hooks.acme.io../", "double trailing dot"],
];

const closedAtDelivery: [string, string][] = [
  ["https://127.0.0.1.nip.io/", "name resolves to 127.0.0.1"],
  ["https://169-254-169-254.sslip.io/", "name resolves to metadata"],
  ["https://localh.st/", "name resolves to 127.0.0.1"],
  ["https://make-1.2.3.4-rebind-169.254-169.254-rr.1u.ms/", "DNS rebinding: public answer first, metadata second"],
];

const allowed: [string, string][] = [
  ["https://hooks.acme.io/cb", "ordinary public host"],
  ["https://hooks.acme.io:443/cb", "explicit default port"],
  ["https://hooks.acme.io/cb?token=a%20b&u=https://127.0.0.1/", "inner URL only in the query"],
  ["https://bücher.acme.io/cb", "IDN host (xn--bcher-kva)"],
  ["https://8.8.8.8/cb", 'public IPv4 literal (spec says only "public host": a guess)'],
  ["https://example.com.acme.io/cb", "example.com only as a prefix"],
  ["https://notexample.com/cb", "suffix match must be on a label boundary"],
];

describe("a callback URL of the given list", () => {
  it.each(notHttps)("%j answers errors.invalid_callback_url: %s", (url) => {
    expect(checkCallbackUrl(url, [])).toBe("errors.invalid_callback_url");
  });

  it.each(blocked)("%j answers errors.invalid_callback_url_blocked: %s", (url) => {
    expect(checkCallbackUrl(url, [])).toBe("errors.invalid_callback_url_blocked");
  });

  it.each(closedAtDelivery)("%j is taken, because names are not resolved at creation: %s", (url) => {
    expect(checkCallbackUrl(url, [])).toBeNull();
  });

  it.each(allowed)("%j is taken: %s", (url) => {
    expect(checkCallbackUrl(url, [])).toBeNull();
  });
});
