import { describe, expect, it } from "vitest";
import { play } from "./play.ts";
import { loadScenarios } from "./scenario.ts";

const kinds = loadScenarios();

describe.each(kinds)("$kind", ({ scenarios }) => {
  it.each(scenarios)("$name", async (scenario) => {
    await play(scenario);
  });

  it.each(scenarios)("would tell if not: $name", async (scenario) => {
    const [first, ...others] = scenario.stored;
    const wrong =
      first === undefined ? [{ content: "x" }] : [{ ...first, content: "something else" }, ...others];
    await expect(play({ ...scenario, stored: wrong })).rejects.toThrow(/in the store| in /);
  });
});

describe("the scenarios", () => {
  it("are many, and each has a name of its own", () => {
    const names = kinds.flatMap(({ scenarios }) => scenarios.map(({ name }) => name));
    expect(names.length).toBeGreaterThanOrEqual(40);
    expect(new Set(names).size).toBe(names.length);
  });
});
