import assert from "node:assert/strict";
import { performance } from "node:perf_hooks";
import { MessageReducer, type RememberFn } from "keepsake";
import { rememberVerbatim } from "keepsake/memory";
import type { Store } from "keepsake/store";
import type { Dialogue, DialogueMessage } from "./dataset.ts";
import type { Answer } from "./metric.ts";

/** Results asked for: the most that a figure looks at. */
const limit = 20;

/** Runs a dialogue through a reducer with default settings, turn by turn, hands over the rest, and asks every question. */
export async function replay(dialogue: Dialogue, store: Store): Promise<Answer[]> {
  return ask(dialogue, store, await remember(dialogue, store), "hybrid");
}

/** Brings a dialogue into the store. Returns the ids of its turns by position. */
export async function remember(dialogue: Dialogue, store: Store): Promise<string[]> {
  const namespace = namespaceOf(dialogue);
  const delivered = await converse(dialogue, store, namespace);
  await assertStoredOnce(dialogue, store, namespace, delivered);
  return delivered;
}

/** Asks every question of a dialogue. Without an embedder the modes do not differ. */
export async function ask(
  dialogue: Dialogue,
  store: Store,
  turnIds: readonly string[],
  mode: "hybrid" | "keyword",
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const { text, category, evidence } of dialogue.questions) {
    const start = performance.now();
    const items = await store.search(namespaceOf(dialogue), { query: text, limit, mode });
    const searchMs = performance.now() - start;
    const found = items.map(({ value }) => turnIds[Number(value.position)] ?? "unknown");
    const characters = items.map(({ value }) => JSON.stringify(value).length);
    answers.push({ category, evidence, found, characters, searchMs });
  }
  return answers;
}

function namespaceOf({ id }: Dialogue): string[] {
  return ["locomo", id];
}

/** The ids in the order of delivery: positions in the store follow it. */
async function converse(dialogue: Dialogue, store: Store, namespace: string[]): Promise<string[]> {
  const delivered: string[] = [];
  const record: RememberFn<DialogueMessage> = (messages) => {
    delivered.push(...messages.map(({ id }) => id));
  };
  const reducer = new MessageReducer<DialogueMessage>({ onPrune: [rememberVerbatim(store), record] });
  const scope = { namespace, threadId: dialogue.id };
  let window: DialogueMessage[] = [];
  for (const message of dialogue.messages) {
    window = (await reducer.reduce({ existing: window, new: [message], ...scope })).surviving;
  }
  await reducer.handOver({ messages: window, ...scope });
  return delivered;
}

/** Every turn was delivered once and is stored once, as it was said. */
async function assertStoredOnce(
  { id, messages }: Dialogue,
  store: Store,
  namespace: string[],
  delivered: readonly string[],
): Promise<void> {
  assert.equal(delivered.length, messages.length, `${id}: as many deliveries as turns`);
  assert.equal(new Set(delivered).size, messages.length, `${id}: no turn was delivered twice`);
  const items = await store.search(namespace, { limit: messages.length + 1 });
  assert.equal(items.length, messages.length, `${id}: as many items as turns`);
  const contentById = new Map(messages.map((message) => [message.id, message.content]));
  const seen = new Set<unknown>();
  for (const { value } of items) {
    const turnId = delivered[Number(value.position)];
    assert.ok(
      turnId !== undefined && !seen.has(turnId),
      `${id}: position ${String(value.position)} is taken once`,
    );
    seen.add(turnId);
    assert.equal(value.content, contentById.get(turnId), `${id}: ${turnId} is stored as it was said`);
  }
}
