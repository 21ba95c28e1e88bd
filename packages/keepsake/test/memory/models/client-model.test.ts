import { createServer, type Server } from "node:http";
import OpenAI from "openai";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type MemoryModel, memoryModel } from "../../../src/memory/index.ts";
import { request } from "./request.ts";

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

const completion = (message: object): Reply => ({
  status: 200,
  body: {
    id: "x",
    object: "chat.completion",
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", ...message } }],
    usage: { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 },
  },
});
const refusal = (message: string, status = 400): Reply => ({ status, body: { error: { message } } });

let server: Server;
let asked: Record<string, unknown>[];
let reply: (body: Record<string, unknown>) => Reply | undefined;
let model: MemoryModel;

beforeEach(async () => {
  asked = [];
  server = createServer((incoming, outgoing) => {
    let text = "";
    incoming.setEncoding("utf8");
    incoming.on("data", (piece: string) => {
      text += piece;
    });
    incoming.on("end", () => {
      const body: Record<string, unknown> = JSON.parse(text);
      asked.push(body);
      const answer = reply(body);
      if (answer === undefined) return;
      outgoing.writeHead(answer.status, { "content-type": "application/json" });
      outgoing.end(JSON.stringify(answer.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = Object(server.address());
  const client = new OpenAI({ apiKey: "k", baseURL: `http://127.0.0.1:${port}/v1`, maxRetries: 0 });
  model = memoryModel({ client, model: "gpt-x" });
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describe("a client with OpenAI's interface", () => {
  test("is asked for JSON by the schema, and gives text and tokens", async () => {
    reply = () => completion({ content: '{"facts":["tea"]}' });
    expect(await model.generate(request())).toEqual({
      text: '{"facts":["tea"]}',
      tokens: { input: 12, output: 3 },
    });
    expect(asked).toEqual([
      {
        model: "gpt-x",
        messages: [
          { role: "system", content: "Find facts." },
          { role: "user", content: "I like tea." },
        ],
        response_format: {
          type: "json_schema",
          json_schema: { name: "facts", strict: false, schema: request().schema },
        },
      },
    ]);
    expect(model.name).toBe("gpt-x");
  });

  test("that knows no schemas is asked in a simpler form, from then on", async () => {
    reply = (body) => {
      const { type } = Object(body.response_format);
      return type === "json_schema"
        ? refusal("response_format type json_schema is unavailable")
        : completion({ content: "{}" });
    };
    await model.generate(request());
    await model.generate(request());
    const forms = asked.map((body) => Object(body.response_format).type);
    expect(forms).toEqual(["json_schema", "json_object", "json_object"]);
    expect(JSON.stringify(asked[1]?.messages)).toContain("JSON schema");
  });

  test("that knows no formats is asked for text", async () => {
    reply = (body) =>
      "response_format" in body
        ? refusal("Unknown field: response_format", 422)
        : completion({ content: "{}" });
    expect(await model.generate(request())).toMatchObject({ text: "{}" });
    expect(asked).toHaveLength(3);
  });

  test.each([
    ["a refusal", { content: null, refusal: "I cannot do that." }, "I cannot do that."],
    [
      "arguments of a call",
      {
        content: null,
        tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }],
      },
      "{}",
    ],
    ["nothing", { content: null }, ""],
  ])("gives %s as text", async (_name, message, text) => {
    reply = () => completion(message);
    expect(await model.generate(request())).toMatchObject({ text });
  });

  test("rejects with its own error, asked once", async () => {
    reply = () => refusal("Incorrect API key", 401);
    await expect(model.generate(request())).rejects.toMatchObject({ status: 401 });
    reply = () => refusal("This model's maximum context length is 8192 tokens");
    await expect(model.generate(request())).rejects.toMatchObject({ status: 400 });
    expect(asked).toHaveLength(2);
  });

  test("stops when the request is aborted", async () => {
    const controller = new AbortController();
    reply = () => {
      controller.abort();
      return undefined;
    };
    await expect(model.generate(request({ signal: controller.signal }))).rejects.toThrow(/abort/i);
    await expect(model.generate(request({ signal: controller.signal }))).rejects.toThrow(/abort/i);
    expect(asked).toHaveLength(1);
  });
});
