import { readFileSync } from "node:fs";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import type { CommandContext, CommonOptions } from "./commands/context.ts";
import { demo } from "./commands/demo.ts";
import { type ListCommandOptions, list } from "./commands/list.ts";
import { type ReplayCommandOptions, replay } from "./commands/replay.ts";
import { type SearchCommandOptions, search } from "./commands/search.ts";
import { defaultDatabase } from "./database.ts";
import { CliError, shownError } from "./errors.ts";
import { parseNamespace } from "./namespace.ts";
import { addOutbox, addWorker } from "./outbox-program.ts";
import { createProgress } from "./output/progress.ts";
import { createScreen, printError, type Surroundings, widthOf } from "./output/screen.ts";
import { printable } from "./output/text.ts";

/** Runs the command line and returns its exit code: 0 done, 1 it could not be done, 2 it was called wrongly. */
export async function run(args: readonly string[], surroundings: Surroundings): Promise<0 | 1 | 2> {
  const json = wantsJson(args);
  try {
    await buildProgram(surroundings, json).parseAsync([...args], { from: "user" });
    return 0;
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      printError(surroundings, error, json);
      return shownError(error).exitCode;
    }
    if (error.exitCode === 0) return 0;
    // Without a command, commander has printed the help.
    if (error.code !== "commander.help") printError(surroundings, usageError(error, args), json);
    return 2;
  }
}

/** Whether errors are to be JSON: known before the arguments are, since they may be what is wrong. */
function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return (end === -1 ? args : args.slice(0, end)).includes("--json");
}

function usageError(error: CommanderError, args: readonly string[]): CliError {
  const message = error.message.replace(/^error: /, "").replace(/\n+/g, " ");
  const sentence = message.charAt(0).toUpperCase() + message.slice(1);
  const command = commandNames.find((name) => name === args[0]);
  const help = ["keepsake", ...(command === undefined ? [] : [command]), "--help"].join(" ");
  return new CliError("usage", `${/[.?!)]$/.test(sentence) ? sentence : `${sentence}.`} ${help} shows how.`);
}

const commandNames: readonly string[] = ["demo", "replay", "search", "list", "outbox", "worker"];

/** What a command does. */
export type Action<Options> = (options: Options, context: CommandContext) => Promise<void>;

function buildProgram(surroundings: Surroundings, json: boolean): Command {
  const program = new Command("keepsake");
  program
    .description("Long-term memory for agents: what leaves the window is remembered, and found again.")
    .version(versionOfPackage(), "-V, --version", "print the version")
    .helpOption("-h, --help", "show this help")
    .helpCommand("help [command]", "show the help of a command")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void surroundings.stdout.write(text),
      writeErr: (text) => void surroundings.stderr.write(printable(text)),
      outputError: () => {},
      getOutHelpWidth: () => widthOf(surroundings.stdout),
      getErrHelpWidth: () => widthOf(surroundings.stderr),
    })
    .addHelpText("after", programHelp);
  const perform = <Options>(action: Action<Options>) => {
    return async (options: Options): Promise<void> => {
      const screen = createScreen(surroundings, json);
      await action(options, { screen, progress: createProgress(surroundings, json), surroundings });
    };
  };
  addDemo(program, perform);
  addReplay(program, perform);
  addSearch(program, perform);
  addList(program, perform);
  addOutbox(program, perform);
  addWorker(program, perform);
  return program;
}

/** Makes a command's action of a function: the options, and what every command is given. */
export type Perform = <Options>(action: Action<Options>) => (options: Options) => Promise<void>;

function addDemo(program: Command, perform: Perform): void {
  const command = program
    .command("demo")
    .description("watch a 30-turn conversation being pruned, remembered and found again")
    .addHelpText("after", demoHelp);
  withCommonOptions(command).action(perform<CommonOptions>(demo));
}

function addReplay(program: Command, perform: Perform): void {
  const command = program
    .command("replay")
    .description("run a conversation through a window and remember what leaves it")
    .argument("<file>", 'JSON: an array of messages, or an object with "messages"; - reads standard input')
    .option("--max-messages <n>", "more messages than this are pruned (default: 20)", count(1))
    .option(
      "--min-messages <n>",
      "messages that remain (default: 10, or half the maximum if that is less)",
      count(0),
    )
    .option("--max-tokens <n>", "more tokens than this are pruned; then messages are not counted", count(1))
    .option("--target-tokens <n>", "tokens that remain (default: the maximum)", count(1))
    .addOption(
      new Option(
        "--boundary <kind>",
        "where a window may begin: at a user's turn, or anywhere (default: turn)",
      ).choices(["turn", "message"]),
    )
    .option("-n, --namespace <name>", "whose memory it is (default: /memories/<file name>)", parseNamespace)
    .option("--thread <id>", "tells apart the conversations of one namespace (default: <file name>)")
    .option("--hand-over", "remember what stays in the window too, as at the end of a session")
    .option("--check", "say what a provider would refuse in the window; exit code 1 where there is anything")
    .addOption(
      new Option("--provider <name>", "check by the rules of this provider (default: any)")
        .choices(["any", "openai-chat", "openai-responses", "anthropic", "gemini", "bedrock"])
        .implies({ check: true }),
    )
    .addHelpText("after", replayHelp);
  withCommonOptions(command).action((file: string, options: ReplayCommandOptions) =>
    perform<ReplayCommandOptions>((given, context) => replay(file, given, context))(options),
  );
}

function addSearch(program: Command, perform: Perform): void {
  const command = program
    .command("search")
    .description("find what was remembered, best first")
    .argument("<query...>", "words to look for")
    .requiredOption(
      "-n, --namespace <name>",
      "whose memory to search, with all that is below it",
      parseNamespace,
    )
    .option("--limit <n>", "at most so many results", count(1), 10)
    .addHelpText("after", searchHelp);
  withCommonOptions(command).action((words: string[], options: SearchCommandOptions) =>
    perform<SearchCommandOptions>((given, context) => search(words, given, context))(options),
  );
}

function addList(program: Command, perform: Perform): void {
  const command = program
    .command("list")
    .description("list the namespaces, or what one of them holds, newest first")
    .option(
      "-n, --namespace <name>",
      "list the items of this namespace and of those below it",
      parseNamespace,
    )
    .option("--limit <n>", "at most so many", count(1), 20)
    .option("--offset <n>", "leave out the first", count(0), 0)
    .addHelpText("after", listHelp);
  withCommonOptions(command).action(perform<ListCommandOptions>(list));
}

function withCommonOptions(command: Command): Command {
  return command
    .option("--db <path>", "the database file", defaultDatabase)
    .option("--json", "print JSON, for programs")
    .helpOption("-h, --help", "show this help");
}

/** A whole number of at least `least`. */
export function count(least: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (Number.isSafeInteger(value) && value >= least) return value;
    throw new InvalidArgumentError(`Expected a whole number, ${least} or more.`);
  };
}

/** The manifest lies beside both src/ and dist/. */
function versionOfPackage(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const isManifest = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return isManifest ? String(manifest.version) : "unknown";
}

const namespaceHelp = `
A namespace is a path such as /memories/asha, a JSON array such as
'["memories","asha"]', or a single word.`;

const programHelp = `
Try it:
  keepsake demo                                    see it work
  keepsake replay chat.json                        remember a conversation
  keepsake search "which seat" -n /memories/chat   find something in it
  keepsake list                                    see what there is
  keepsake outbox stats                            see what waits for a hook

Exit codes: 0 done, 1 it could not be done, 2 it was called wrongly.
`;

const demoHelp = `
The window holds 10 messages. Turn by turn you see what is in it, what left it
and what was stored; then a new thread asks for things that only the store
still knows. Each run writes to a namespace of its own.

Examples:
  keepsake demo
  keepsake demo --json | jq .counts
`;

const replayHelp = `
Messages are those of any format that keepsake reads: OpenAI's chat messages and
Responses items, Anthropic, Gemini, Bedrock, the AI SDK, LangChain (also
serialised), or any objects with a "role" or "type". Nothing is written where
one of them is malformed. Replaying a file again writes over what the first
time wrote; a message without an id is known by its place.
${namespaceHelp}

Examples:
  keepsake replay chat.json
  keepsake replay chat.json --max-messages 40 --namespace /memories/asha
  keepsake replay chat.json --max-tokens 8000 --target-tokens 6000
  keepsake replay chat.json --hand-over        remember the whole conversation
  keepsake replay chat.json --check --provider anthropic
  cat chat.json | keepsake replay - --namespace /memories/asha --json
`;

const searchHelp = `
There is no search over everything: the namespace says whose memory it is.
${namespaceHelp}

Examples:
  keepsake search "which seat" --namespace /memories/asha
  keepsake search allergies --namespace /memories/asha --limit 3
  keepsake search seat -n /memories/asha --json | jq '.items[].value.content'
`;

const listHelp = `
The number beside a namespace counts what is in it and below it.
${namespaceHelp}

Examples:
  keepsake list
  keepsake list --namespace /memories/asha
  keepsake list --namespace /memories/asha --limit 100 --offset 100 --json
`;
