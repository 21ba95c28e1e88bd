import assert from "node:assert/strict";
import { MemoryEngine } from "../../../src/memory/index.ts";
import { renderMemories } from "../../../src/memory/render/render-memories.ts";
import { InMemoryStore, type Item } from "../../../src/store/index.ts";
import { type ScriptedModel, type ScriptedRequest, scriptedModel } from "../../../src/testing/index.ts";
import type { ExpectedMemory, Scenario, ScenarioBatch, TextConditions } from "./scenario.ts";

const namespace = ["memories", "asha"];
const now = Date.parse("2026-11-30T12:00:00Z");
const silent = { debug: () => undefined, warn: () => undefined };

interface Stage {
  readonly store: InMemoryStore;
  readonly engine: MemoryEngine;
  readonly events: string[];
  /** The model of the batch at hand. */
  model: ScriptedModel;
}

/** Plays a scenario, and rejects where anything is not as it says. */
export async function play(scenario: Scenario): Promise<void> {
  const stage = await setUp(scenario);
  for (const [index, batch] of scenario.batches.entries()) await playBatch(stage, batch, index + 1);
  const items = await stage.store.search(namespace, { limit: 1000 });
  checkStored(items, scenario.stored);
  for (const [type, count] of Object.entries(scenario.events ?? {})) {
    const events = stage.events.filter((event) => event === type);
    assert.equal(events.length, count, `events of type ${type}: ${stage.events.join(", ")}`);
  }
  await checkHistory(stage, items, scenario.history ?? []);
  await checkRecall(stage, scenario);
}

async function setUp({ memories = [], others = [], config = {} }: Scenario): Promise<Stage> {
  const store = new InMemoryStore({ now: () => now, index: { fields: ["content"] } });
  for (const [index, value] of memories.entries()) {
    await store.put(namespace, `k${index + 1}`, { kind: "memory", ...value });
  }
  for (const [index, { namespace: place, ...value }] of others.entries()) {
    await store.put(place, `other${index}`, { kind: "memory", ...value });
  }
  const events: string[] = [];
  const engine = new MemoryEngine({
    store,
    model: async (request) => stage.model(request),
    config,
    logger: silent,
    now: () => now,
    onEvent: ({ type }) => events.push(type),
  });
  const stage: Stage = { store, engine, events, model: scriptedModel([]) };
  return stage;
}

async function playBatch(stage: Stage, batch: ScenarioBatch, number: number): Promise<void> {
  const { deliveryId, times = 1, abortAfterMs, fails } = batch;
  if (batch.forget !== undefined) await forget(stage, batch.forget);
  const recalled = renderMemories(await stage.store.search(namespace));
  const messages = batch.messages.map((message, index) =>
    messageOf(message, `b${number}.${index + 1}`, batch, recalled),
  );
  for (let time = 0; time < times; time += 1) {
    stage.model = scriptedModel(batch.answers.map(answerOf));
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(new Error("time is over")), abortAfterMs ?? 10_000);
    const options = { signal: abort.signal, ...(deliveryId === undefined ? {} : { deliveryId }) };
    const outcome = await stage.engine.remember(messages, namespace, options).then(
      () => undefined,
      (error: unknown) => error,
    );
    clearTimeout(timer);
    checkOutcome(outcome, fails);
    assert.equal(stage.model.left(), 0, "answers that nobody asked for");
    checkText(stage.model.requests.at(-1)?.prompt ?? "", batch.prompt);
  }
}

async function forget({ store, engine }: Stage, content: string): Promise<void> {
  const items = await store.search(namespace, { filter: { content } });
  for (const { key } of items) assert.equal(await engine.forget(namespace, { key }), 1);
  assert.equal(items.length, 1, "there is one to forget");
}

function messageOf(
  message: string | Readonly<Record<string, unknown>>,
  id: string,
  { at }: ScenarioBatch,
  recalled: string,
): object {
  const sent = at === undefined ? {} : { timestamp: at };
  if (typeof message !== "string") return { id, ...sent, ...message };
  const {
    role,
    name,
    text = "",
  } = /^(?<role>\w+)(?:\((?<name>\w+)\))?: (?<text>.*)$/s.exec(message)?.groups ?? {};
  assert.ok(role, `a message is "role: text", not ${message}`);
  const content = text
    .replace("{recalled}", recalled)
    .replace("{recalled-cut}", recalled.split("\n").slice(0, -1).join("\n"));
  return { id, role, content, ...sent, ...(name === undefined ? {} : { name }) };
}

function answerOf(answer: unknown): unknown {
  const { throws, hangs } = Object(answer);
  if (throws !== undefined) return new Error(String(throws));
  if (hangs === true) return { afterMs: Number.POSITIVE_INFINITY };
  return (request: ScriptedRequest) => withLabels(answer, request.prompt);
}

/** With `$f:words` and `$m:words` replaced by the labels of the lines of the prompt that hold the words. */
function withLabels(answer: unknown, prompt: string): unknown {
  if (typeof answer === "string") return answer;
  const text = JSON.stringify(answer).replace(/"\$([fm]):([^"]*)"/g, (_, letter: string, words: string) => {
    const line = prompt.split("\n").find((one) => one.startsWith(`{"id":"${letter}`) && one.includes(words));
    assert.ok(line, `a line of ${letter} with ${words} in ${prompt}`);
    return JSON.stringify(JSON.parse(line).id);
  });
  return JSON.parse(text);
}

function checkOutcome(error: unknown, fails: string | undefined): void {
  if (fails === undefined) {
    if (error !== undefined) throw error;
    return;
  }
  assert.ok(error !== undefined, `remember must fail with ${fails}`);
  assert.ok(`${Object(error).code} ${error}`.includes(fails), `${fails} in ${error}`);
}

function checkStored(items: readonly Item[], expected: readonly ExpectedMemory[]): void {
  const shown = JSON.stringify(
    items.map(({ key, value }) => ({ key, ...value })),
    null,
    1,
  );
  assert.equal(items.length, expected.length, `memories in the store: ${shown}`);
  const left = [...items];
  for (const memory of expected) {
    const place = left.findIndex((item) => isAsExpected(item, memory));
    assert.ok(place >= 0, `${JSON.stringify(memory)} in ${shown}`);
    left.splice(place, 1);
  }
}

function isAsExpected(
  { key, value }: Item,
  { lacks = [], contains = "", ...fields }: ExpectedMemory,
): boolean {
  return (
    String(value.content).includes(String(contains)) &&
    lacks.every((name) => value[name] === undefined) &&
    Object.entries(fields).every(
      ([name, wanted]) => JSON.stringify(name === "key" ? key : value[name]) === JSON.stringify(wanted),
    )
  );
}

function checkText(text: string, { holds = [], lacks = [], once = [] }: TextConditions = {}): void {
  for (const part of holds) assert.ok(text.includes(part), `${part} in ${text}`);
  for (const part of lacks) assert.ok(!text.includes(part), `no ${part} in ${text}`);
  for (const part of once) assert.equal(text.split(part).length, 2, `${part} once in ${text}`);
}

async function checkHistory(
  { engine }: Stage,
  items: readonly Item[],
  histories: readonly (readonly string[])[],
): Promise<void> {
  const found = await Promise.all(items.map(({ key }) => engine.history(namespace, key)));
  const contents = found.map((entries) => entries.map(({ content }) => content).toReversed());
  for (const history of histories)
    assert.ok(
      contents.some((one) => isSame(one, history)),
      JSON.stringify(contents),
    );
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

async function checkRecall({ engine }: Stage, { recall }: Scenario): Promise<void> {
  if (recall === undefined) return;
  const [first] = await engine.recall(recall.query, namespace);
  if (recall.first !== undefined) assert.equal(first?.record.content, recall.first);
  if (recall.rendered !== undefined)
    checkText(await engine.context(recall.query, namespace), recall.rendered);
}
