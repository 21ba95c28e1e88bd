import type { ModelRequest } from "../../../src/memory/models/types.ts";

/** A model that answers from a list, in order, and keeps what it was asked. */
export interface ScriptedModel {
  (request: ModelRequest): Promise<unknown>;
  readonly requests: ModelRequest[];
}

type Reply = unknown | ((request: ModelRequest) => unknown);

/** Each reply is a value, a text, an error to be thrown, or a function of the request. Throws where it is asked too often. */
export function scriptedModel(...replies: Reply[]): ScriptedModel {
  const requests: ModelRequest[] = [];
  const ask = async (request: ModelRequest): Promise<unknown> => {
    const reply = replies[requests.length];
    requests.push(request);
    if (requests.length > replies.length) throw new Error(`asked ${requests.length} times`);
    const answer: unknown = typeof reply === "function" ? await reply(request) : reply;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return Object.assign(ask, { requests });
}

export const nothing = { actions: [] };
export const insert = (kind: string, content: unknown): unknown => ({
  actions: [{ action: "insert", kind, content }],
});
export const update = (id: string, content: unknown): unknown => ({
  actions: [{ action: "update", id, content }],
});
export const remove = (id: string): unknown => ({ actions: [{ action: "delete", id }] });
export const said = (content: string): unknown[] => [{ role: "user", content }];
export const quiet = { debug(): void {}, warn(): void {} };
