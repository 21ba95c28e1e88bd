import { MessageReducer, type ReducerConfig, type ReducerEvent } from "../../src/reducer/index.ts";
import { recordingLogger } from "./histories.ts";

export type Message = Readonly<Record<string, unknown>>;

export const scope = { namespace: ["memories", "asha"], threadId: "t1" };
export const long = Array.from({ length: 4000 }, (_, index) => `line ${index} of the log`).join("\n");
export const json = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

export const user = (content: string, id?: string): Message => ({ role: "user", content, ...(id && { id }) });
export const assistant = (content: string): Message => ({ role: "assistant", content });

export const marker = /\[\.\.\. (\d+) characters left out \(keepsake [0-9a-f]{16}\) \.\.\.\]/;

/** A reducer that truncates, and what its hook was given. */
export function truncating(config: ReducerConfig<Message> = {}): {
  reducer: MessageReducer<Message>;
  given: Message[];
  events: ReducerEvent[];
} {
  const given: Message[] = [];
  const events: ReducerEvent[] = [];
  const reducer = new MessageReducer<Message>({
    maxMessageTokens: 200,
    logger: recordingLogger(),
    onPrune: [(pruned) => void given.push(...pruned)],
    onEvent: (event) => events.push(event),
    ...config,
  });
  return { reducer, given, events };
}
