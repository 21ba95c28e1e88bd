// What an app does with an error of keepsake: it matches on the code.
import assert from "node:assert/strict";
// #region errors
import { KeepsakeError, MessageReducer } from "keepsake";

function windowOf(maxMessages: number): MessageReducer | string {
  try {
    return new MessageReducer({ minMessages: 10, maxMessages });
  } catch (error) {
    if (KeepsakeError.isInstance(error) && error.code === "invalid_config") return error.message;
    throw error;
  }
}
// #endregion

assert.ok(windowOf(20) instanceof MessageReducer);
const message = windowOf(5);
assert.ok(typeof message === "string");
assert.match(message, /minMessages/);
console.log(message);
