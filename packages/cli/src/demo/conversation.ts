import { type ScriptedCall, type ScriptedTurn, sittings, systemPrompt } from "./script.ts";

/** A message in OpenAI's chat format, with an id and a time as hosts add them. */
export type DemoMessage = Readonly<Record<string, unknown>> & { readonly id: string; readonly role: string };

/** A turn of the demo: its number from 1, and its messages. */
export interface DemoTurn {
  readonly number: number;
  readonly messages: readonly DemoMessage[];
}

const secondsPerMessage = 40;

/** The scripted conversation as messages, turn by turn. The first turn begins with the system prompt. */
export function demoTurns(): DemoTurn[] {
  const turns: DemoTurn[] = [];
  for (const { at, turns: scripted } of sittings) {
    let seconds = Date.parse(at) / 1000;
    const tick = (): string => {
      seconds += secondsPerMessage;
      return new Date(seconds * 1000).toISOString();
    };
    for (const turn of scripted) {
      const number = turns.length + 1;
      const messages = messagesOf(turn, number, tick);
      turns.push({ number, messages: number === 1 ? [systemMessage(at), ...messages] : messages });
    }
  }
  return turns;
}

function systemMessage(createdAt: string): DemoMessage {
  return { id: "system", role: "system", content: systemPrompt, createdAt };
}

function messagesOf(
  { user, calls = [], agent }: ScriptedTurn,
  turn: number,
  tick: () => string,
): DemoMessage[] {
  return [
    { id: `${turn}.user`, role: "user", name: "Elena", content: user, createdAt: tick() },
    ...(calls.length === 0 ? [] : toolMessages(calls, turn, tick)),
    { id: `${turn}.agent`, role: "assistant", content: agent, createdAt: tick() },
  ];
}

function toolMessages(calls: readonly ScriptedCall[], turn: number, tick: () => string): DemoMessage[] {
  const ids = calls.map((_, index) => `call-${turn}-${index + 1}`);
  const asked: DemoMessage = {
    id: `${turn}.call`,
    role: "assistant",
    content: null,
    createdAt: tick(),
    tool_calls: calls.map(({ tool, input }, index) => ({
      id: ids[index],
      type: "function",
      function: { name: tool, arguments: JSON.stringify(input) },
    })),
  };
  const answered = calls.map(({ output }, index) => ({
    id: `${turn}.tool${index + 1}`,
    role: "tool",
    tool_call_id: ids[index],
    content: output,
    createdAt: tick(),
  }));
  return [asked, ...answered];
}
