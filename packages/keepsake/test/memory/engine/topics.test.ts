import { describe, expect, it } from "vitest";
import type { Fact, Proposal } from "../../../src/memory/types.ts";
import { InMemoryStore, type Store } from "../../../src/store/index.ts";
import { asha, kit } from "./engine-kit.ts";

const home = { subject: "Asha", attribute: "home" };
const before: Fact = { content: "Lives in Lisbon", role: "human", ...home };
const now: Fact = { content: "Oslo became her residence", role: "human", ...home };

async function correct(
  store: Store,
  known: readonly Fact[],
  facts: readonly Fact[],
): Promise<{ proposals: readonly Proposal[]; contents: unknown[] }> {
  const batches = [known, facts];
  const asked: Proposal[][] = [];
  const { engine, contents } = kit({
    store,
    extractor: () => batches.shift() ?? [],
    consolidator: (proposals) => {
      asked.push([...proposals]);
      return proposals.map(({ nearest }, fact) => ({
        fact,
        action: "update" as const,
        target: nearest.find(({ attribute }) => attribute === home.attribute)?.key,
      }));
    },
  });
  await engine.remember("first", asha);
  asked.length = 0;
  await engine.remember("second", asha);
  return { proposals: asked.flat(), contents: await contents() };
}

describe("a correction that shares no word with what it corrects", () => {
  it("finds it by subject and attribute", async () => {
    const { contents } = await correct(new InMemoryStore(), [before], [now]);
    expect(contents).toEqual([now.content]);
  });

  it("finds it where the store indexes the content alone", async () => {
    const { contents } = await correct(
      new InMemoryStore({ index: { fields: ["content"] } }),
      [before],
      [now],
    );
    expect(contents).toEqual([now.content]);
  });

  it("finds it among memories that share its words", async () => {
    const others = Array.from({ length: 30 }, (_, index) => ({
      content: `Oslo became her residence ${index}`,
      role: "human",
      subject: "Asha",
      attribute: `attribute ${index}`,
    }));
    const { proposals } = await correct(
      new InMemoryStore({ index: { fields: ["content"] } }),
      [before, ...others],
      [now],
    );
    expect(proposals[0]?.nearest.map(({ content }) => content)).toContain(before.content);
  });

  it.each([
    ["case", { subject: "asha", attribute: "Home" }],
    ["white space", { subject: " Asha", attribute: "home " }],
    ["Unicode form", { subject: "Ａｓｈａ", attribute: "home" }],
  ])("finds it where %s differs", async (_what, spelling) => {
    const { contents } = await correct(new InMemoryStore(), [before], [{ ...now, ...spelling }]);
    expect(contents).toEqual([now.content]);
  });

  it("finds what was corrected already", async () => {
    const store = new InMemoryStore();
    await correct(store, [{ ...before, subject: "ASHA" }], [now]);
    const later = { ...before, content: "Bergen since autumn", subject: "asha" };
    const { contents } = await correct(store, [], [later]);
    expect(contents).toEqual([later.content]);
  });

  it("leaves the same attribute of another person alone", async () => {
    const ben = { ...before, subject: "Ben" };
    const { contents } = await correct(new InMemoryStore(), [ben], [now]);
    expect(contents).toEqual([ben.content, now.content].sort());
  });
});
