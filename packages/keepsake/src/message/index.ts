export { estimateTokens } from "./estimate-tokens.ts";
export { contentHashOf, type MessageRecord, recordOf } from "./record.ts";
export type { MessageRole, MessageView } from "./view.ts";
export { viewOf } from "./view-of.ts";
