import { modelMessages, uiMessages } from "./ai-sdk.ts";
import { anthropic, bedrock, geminiWithIds, geminiWithoutIds, strands } from "./blocks.ts";
import { langChainBlocks, openAiChat } from "./chat.ts";
import type { WireFormat } from "./format.ts";
import { agents, responses } from "./items.ts";

/** Every format with results of its own kind. */
export const WIRE_FORMATS: readonly WireFormat[] = [
  openAiChat,
  langChainBlocks,
  responses,
  agents,
  anthropic,
  modelMessages,
  uiMessages,
  geminiWithIds,
  geminiWithoutIds,
  bedrock,
  strands,
];

/** Another format for each answer: what a host has whose users change providers within a conversation. */
export const mixed: WireFormat = {
  name: "mixed",
  providers: ["openai-chat", "gemini"],
  write: (beats) =>
    beats.flatMap((beat, index) => {
      const format = WIRE_FORMATS[(index * 7 + beat.tokens) % WIRE_FORMATS.length] as WireFormat;
      return format.write([beat]);
    }),
  orphan: (call) => openAiChat.orphan(call),
  blank: (role, variant) => (WIRE_FORMATS[variant % WIRE_FORMATS.length] as WireFormat).blank(role, variant),
  thought: (label) => anthropic.thought(label),
};
