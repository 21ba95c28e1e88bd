import { KeepsakeError } from "../errors/index.ts";
import {
  type ContentSchema,
  type ContentSchemaInput,
  contentSchema,
  embedSchema,
  type JsonSchema,
} from "../schema/index.ts";
import { didYouMean } from "../util/index.ts";
import { argumentsOf, oneOf, quoted } from "./arguments.ts";
import { findMemory, type MemoryById } from "./find-memory.ts";
import { openPlace } from "./open-place.ts";
import { type ToolOptions, toolSettings } from "./settings.ts";
import type { ToolPlace } from "./tool-place.ts";
import type { MemoryAction, MemoryTool } from "./types.ts";

/** How {@link manageMemoryTool} is made. */
export interface ManageMemoryOptions extends ToolOptions {
  /** What content may be; default text. */
  readonly schema?: ContentSchemaInput;
  /** Default all three. */
  readonly actionsPermitted?: readonly MemoryAction[];
}

/** What the manage tool is permitted to do, and what it writes. */
interface Rules {
  readonly actions: readonly MemoryAction[];
  readonly defaultAction: MemoryAction;
  readonly schema: ContentSchema;
}

/** What a model asked for, once it makes sense; else the sentence that says why it does not. */
type Request =
  | { readonly action: "create"; readonly content: unknown }
  | { readonly action: "update"; readonly id: string | undefined; readonly content: unknown }
  | { readonly action: "delete"; readonly id: string | undefined }
  | { readonly problem: string };

const allActions: readonly MemoryAction[] = ["create", "update", "delete"];
const shownIds = 20;
const updateAttempts = 3;

const defaultInstructions = `Call this tool without being asked when
1. the user shows a preference that is new to you;
2. the user asks you to remember something, or to behave differently from now on;
3. your work has brought up context that is worth keeping;
4. a memory turns out to be wrong or outdated.`;

/**
 * The tool with which an agent writes, corrects and deletes its memories. Stored values are `{ content }`, under new UUIDs; an
 * engine keeps its own.
 *
 * @throws {KeepsakeError} invalid_config
 * @example
 * ```ts
 * const tool = manageMemoryTool({ namespace: ["memories", "{userId}"], store });
 * await tool.execute({ content: "Prefers aisle seats." }, { context: { userId: "asha" } }); // "created memory …"
 * ```
 */
export function manageMemoryTool(options: ManageMemoryOptions): MemoryTool {
  const settings = toolSettings("manage_memory", options, {
    schema: ["a zod schema, another Standard Schema, or a JSON schema", isSchemaLike],
    actionsPermitted: ["an array", Array.isArray],
  });
  if (options.engine !== undefined && options.schema !== undefined) {
    throw new KeepsakeError(
      "invalid_config",
      `The tool ${settings.name}: with an engine memories are texts; leave out the schema.`,
    );
  }
  const actions = permittedActions(options.actionsPermitted ?? allActions);
  const [first = "create"] = actions;
  const rules: Rules = {
    actions,
    defaultAction: actions.includes("create") ? "create" : first,
    schema: contentSchema(options.schema),
  };
  return {
    name: settings.name,
    description: describe(actions, options.instructions ?? defaultInstructions),
    inputSchema: inputSchema(rules),
    async execute(args, run = {}) {
      const { place } = openPlace(settings, run);
      run.signal?.throwIfAborted();
      const request = await readRequest(args, rules);
      if ("problem" in request) return `${request.problem} Nothing was changed.`;
      if (request.action === "create") return create(place, request.content);
      return change(place, request, actions);
    },
  };
}

async function create(place: ToolPlace, content: unknown): Promise<string> {
  const id = await place.create(content);
  return id === undefined
    ? "There is nothing in it to remember. Nothing was changed."
    : `created memory ${id}`;
}

async function change(
  place: ToolPlace,
  request: Extract<Request, { action: "update" | "delete" }>,
  actions: readonly MemoryAction[],
): Promise<string> {
  for (let attempt = 0; attempt < updateAttempts; attempt += 1) {
    const found = await findMemory(place, request.id ?? "");
    if ("problem" in found) return `${notFound(request, found, actions)} Nothing was changed.`;
    const { memory } = found;
    if (request.action === "delete") {
      await place.delete(memory.key);
      return `Deleted memory ${memory.key}`;
    }
    if (await place.rewrite(memory, request.content)) return `updated memory ${memory.key}`;
  }
  return `Memory ${quoted(request.id)} was changed by someone else at the same moment. Nothing was changed; search for it, and try again.`;
}

async function readRequest(args: unknown, rules: Rules): Promise<Request> {
  const given = argumentsOf(args);
  if (given === undefined) return { problem: "The arguments must be an object with action, id and content." };
  const { action = rules.defaultAction, content, id: givenId = "" } = given;
  const permitted = rules.actions.find((name) => name === action);
  if (permitted === undefined) {
    return { problem: `The action must be ${oneOf(rules.actions)}, not ${quoted(action)}.` };
  }
  if (typeof givenId !== "string" && typeof givenId !== "number")
    return { problem: "The id must be a string." };
  const id = String(givenId).trim() === "" ? undefined : String(givenId);
  if (permitted === "delete") return { action: permitted, id };
  if (permitted === "create" && id !== undefined) return { problem: createWithId(id, rules.actions) };
  if (content === undefined || (typeof content === "string" && content.trim() === "")) {
    return { problem: `To ${permitted} a memory, pass its content.` };
  }
  const checked = await rules.schema.check(content);
  if ("problems" in checked) return { problem: unfit(checked.problems) };
  if (permitted === "create") return { action: permitted, content: checked.content };
  return { action: permitted, id, content: checked.content };
}

function createWithId(id: string, actions: readonly MemoryAction[]): string {
  const update = actions.includes("update")
    ? `; to change the memory ${quoted(id)}, call again with the action "update"`
    : "";
  return `To create a memory, leave out the id${update}.`;
}

function unfit(problems: readonly string[]): string {
  const shown = problems.slice(0, 10).join("; ");
  return `The content does not fit its schema: ${shown}. Call again with all of the content, corrected.`;
}

function notFound(
  { id, action }: { readonly id: string | undefined; readonly action: string },
  { problem, ids, isComplete }: Extract<MemoryById, { problem: string }>,
  actions: readonly MemoryAction[],
): string {
  const more = ids.length > shownIds ? `, and ${isComplete ? ids.length - shownIds : "many"} more` : "";
  const list = `${ids.slice(0, shownIds).join(", ")}${more}`;
  if (problem === "ambiguous")
    return `The id ${quoted(id)} is the beginning of several: ${list}. Pass one of them whole.`;
  const what =
    id === undefined
      ? `To ${action} a memory, pass its id.`
      : `There is no memory with the id ${quoted(id)}.`;
  if (ids.length > 0) return `${what} The ids that exist are: ${list}.`;
  const advice = actions.includes("create") ? ' The action "create" writes the first.' : "";
  return `${what} There are no memories yet.${advice}`;
}

function permittedActions(given: readonly unknown[]): MemoryAction[] {
  const actions = given.map((action) => {
    const known = allActions.find((name) => name === action);
    if (known !== undefined) return known;
    const meant = didYouMean(String(action), allActions);
    const advice = meant === undefined ? `Known are ${oneOf(allActions)}.` : `Did you mean "${meant}"?`;
    throw new KeepsakeError(
      "invalid_config",
      `actionsPermitted has the unknown action ${quoted(action)}. ${advice}`,
    );
  });
  if (actions.length > 0) return [...new Set(actions)];
  throw new KeepsakeError(
    "invalid_config",
    `actionsPermitted is empty, so the tool could do nothing. Name some of ${oneOf(allActions)}, or leave it out.`,
  );
}

function describe(actions: readonly MemoryAction[], instructions: string): string {
  const verbs = [actions.slice(0, -1).join(", "), actions.at(-1)].filter(Boolean).join(" or ");
  const changing = actions.filter((action) => action !== "create");
  const hint = [
    changing.length > 0
      ? `To ${changing.join(" or ")}, pass the id of the memory (its key where a search shows it).`
      : "",
    changing.length > 0 && actions.includes("create") ? "To create, leave the id out." : "",
  ];
  const sentences = [
    `${verbs[0]?.toUpperCase()}${verbs.slice(1)} a memory that outlasts this conversation.`,
    ...hint,
  ];
  return [sentences.filter(Boolean).join(" "), instructions.trim()].filter(Boolean).join("\n\n");
}

function inputSchema({ actions, defaultAction, schema }: Rules): JsonSchema {
  const content = embedSchema(schema.jsonSchema, "#/properties/content");
  const writes = actions.some((action) => action !== "delete");
  const changes = actions.some((action) => action !== "create");
  const description = "The memory, whole; an update replaces what was there.";
  return {
    type: "object",
    properties: {
      action: { type: "string", enum: [...actions], default: defaultAction, description: "What to do." },
      ...(writes ? { content: { description, ...content.schema } } : {}),
      ...(changes
        ? { id: { type: "string", description: "The id of the memory to change; none for a new one." } }
        : {}),
    },
    required: [],
    additionalProperties: false,
    ...(writes && Object.keys(content.definitions).length > 0 ? { $defs: content.definitions } : {}),
  };
}

function isSchemaLike(schema: unknown): boolean {
  return typeof schema === "function" || (typeof schema === "object" && schema !== null);
}
