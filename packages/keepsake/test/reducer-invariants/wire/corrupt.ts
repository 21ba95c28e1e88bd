import fc from "fast-check";
import { MessageReducer, validateWindow, viewOf } from "../../../src/index.ts";
import { deepFreeze } from "../formats.ts";
import { randomLimits } from "../limits.ts";
import { partitionOf } from "../partition.ts";
import type { Runs } from "../properties.ts";
import { allowed } from "./exceptions.ts";
import type { Wire, WireFormat } from "./format.ts";
import { scripts } from "./script.ts";

const SILENT = { debug: () => {}, warn: () => {} };

const spots = fc.array(
  fc.record({
    message: fc.nat(1000),
    path: fc.array(fc.nat(20), { maxLength: 6 }),
    value: fc.jsonValue({ maxDepth: 2 }),
  }),
  { minLength: 1, maxLength: 6 },
);

/** Messages with any JSON value in any place: nothing throws, nothing is lost, and the window is valid as far as it can be read. */
export async function checkCorrupt(format: WireFormat, runs: Runs): Promise<void> {
  const inputs = fc.record({ beats: scripts, spots, limits: randomLimits({ repair: true, pin: false }) });
  const property = fc.asyncProperty(inputs, async ({ beats, spots: drawn, limits }) => {
    const list: Wire[] = JSON.parse(JSON.stringify(format.write(beats))) as Wire[];
    for (const { message, path, value } of drawn) {
      const at = list[message % Math.max(1, list.length)];
      if (at !== undefined)
        list.splice(list.indexOf(at), 1, { ...at, message: corrupted(at.message, path, value) });
    }
    const messages = list.map((one) => deepFreeze(one.message));
    const { pin: _pin, maxTokens, targetTokens: _target, injectSummary, ...rest } = limits;
    const reducer = new MessageReducer<unknown, unknown>({
      ...rest,
      ...(maxTokens === undefined ? {} : { maxTokens }),
      ...(injectSummary ? { injectSummary, summarize: () => "so far" } : {}),
      logger: SILENT,
    });
    const { surviving, pruned } = await reducer.reduce({
      existing: messages,
      namespace: ["memories", "asha"],
    });
    const isOwn = (one: unknown): boolean => messages.includes(one);
    const partition = partitionOf(messages, surviving.filter(isOwn), pruned.filter(isOwn));
    const isAllowed = allowed(list, surviving, partition?.survived ?? [], limits);
    const violations = format.providers.flatMap((provider) =>
      validateWindow(surviving, { provider }).filter(({ rule, index }) => !isAllowed(rule, index)),
    );
    const again = await reducer.reduce({ existing: surviving, namespace: ["memories", "asha"] });
    for (const message of messages) viewOf(message);
    if (partition !== undefined && violations.length === 0 && again.pruned.length === 0) return;
    throw new Error(
      [
        partition === undefined ? "surviving and pruned are not the input" : "",
        ...violations.map(({ rule, message }) => `${rule}: ${message}`),
        `a second reduce prunes ${again.pruned.length}`,
        JSON.stringify(limits),
        ...messages.map((message) => JSON.stringify(message)),
        `window: ${JSON.stringify(surviving)}`,
      ].join("\n"),
    );
  });
  await fc.assert(property, runs);
}

/** A copy with a value in a place somewhere below. */
function corrupted(message: unknown, [step, ...path]: readonly number[], value: unknown): unknown {
  if (step === undefined || typeof message !== "object" || message === null) return value;
  const keys = Object.keys(message);
  const key = keys[step % Math.max(1, keys.length)];
  if (key === undefined) return value;
  const inner = corrupted(Reflect.get(message, key), path, value);
  return Array.isArray(message) ? message.with(Number(key), inner) : { ...message, [key]: inner };
}
