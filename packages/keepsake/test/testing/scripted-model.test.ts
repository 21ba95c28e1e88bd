import { describe, expect, test } from "vitest";
import { type ScriptedRequest, scriptedModel } from "../../src/testing/index.ts";

const request: ScriptedRequest = { system: "s", prompt: "p", schemaName: "facts" };

describe("scriptedModel", () => {
  test("replays its answers in order, keeps what it was asked, and fails when there are none left", async () => {
    const model = scriptedModel([
      "text",
      { facts: [] },
      new Error("503"),
      ({ prompt }: ScriptedRequest) => prompt,
    ]);

    expect(await model(request)).toBe("text");
    expect(await model({ ...request, prompt: "q" })).toEqual({ facts: [] });
    await expect(model(request)).rejects.toThrow("503");
    expect(model.left()).toBe(1);
    expect(await model(request)).toBe("p");

    await expect(model(request)).rejects.toThrow(
      "scriptedModel has 4 answers, and was asked for one more, for facts.",
    );
    expect(model.requests.map(({ prompt }) => prompt)).toEqual(["p", "q", "p", "p", "p"]);
    expect(model.left()).toBe(0);
  });

  test("answers late, or not before it is aborted", async () => {
    const model = scriptedModel([
      { afterMs: 1, answer: "late" },
      { afterMs: 1, answer: new Error("late") },
      { afterMs: Number.POSITIVE_INFINITY },
    ]);
    expect(await model(request)).toBe("late");
    await expect(model(request)).rejects.toThrow("late");

    const controller = new AbortController();
    const waiting = model({ ...request, signal: controller.signal });
    controller.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
  });

  test("does not begin to wait where the request is aborted already", async () => {
    const model = scriptedModel([{ afterMs: Number.POSITIVE_INFINITY }]);
    await expect(model({ ...request, signal: AbortSignal.abort(new Error("gone")) })).rejects.toThrow("gone");
  });
});
