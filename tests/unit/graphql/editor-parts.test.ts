import { renderGraphiQL } from "@graphql-yoga/render-graphiql";
import { describe, expect, it } from "vitest";
import { correctedScript, ourStyle } from "@/server/graphql/editor-parts";

const rendered = renderGraphiQL({});

describe("GraphiQL", () => {
  it("has its tabs corrected, which this version of it has as expected", () => {
    const script = correctedScript(rendered);
    expect(script).not.toContain('role:"tablist",className');
    expect(script).toContain('role:"group",id:"graphiql-session"');
    expect(() => correctedScript(script)).toThrow("GraphiQL's script has no longer one");
  });

  it("comes in our fonts and colours, without its own fonts", () => {
    const style = ourStyle(rendered.slice(rendered.indexOf("<style>"), rendered.indexOf("</style>")));
    const families = [...style.matchAll(/@font-face\s*\{[^}]*?font-family:\s*"?([^;"}]+)/g)].map(
      ([, family]) => family,
    );
    expect(new Set(families)).toEqual(new Set(["codicon", "Inter", "JetBrains Mono"]));
    expect(style.lastIndexOf("--color-primary:219,79%,73.1%")).toBeGreaterThan(
      style.lastIndexOf("--color-primary: 338"),
    );
  });
});
