import { type Command, Option } from "commander";
import {
  discardDelivery,
  listDeliveries,
  type OutboxListOptions,
  type OutboxOptions,
  outboxStats,
  retryDelivery,
  showDelivery,
} from "./commands/outbox.ts";
import { type WorkerOptions, worker } from "./commands/worker.ts";
import { defaultDatabase } from "./database.ts";
import { count, type Perform } from "./program.ts";

/** The commands that look into an outbox. */
export function addOutbox(program: Command, perform: Perform): void {
  const outbox = program
    .command("outbox")
    .description("see what waits for a durable hook, and what has failed")
    .helpOption("-h, --help", "show this help")
    .helpCommand("help [command]", "show the help of a command")
    .addHelpText("after", outboxHelp);
  const list = outbox
    .command("list")
    .description("list deliveries, oldest first")
    .addOption(
      new Option("--state <state>", "only these").choices(["pending", "leased", "retrying", "dead", "done"]),
    )
    .option("--limit <n>", "at most so many", count(1), 20)
    .option("--after <id>", "those after this delivery");
  withOutboxOptions(list).action(perform<OutboxListOptions>(listDeliveries));
  const show = outbox
    .command("show")
    .description("show a delivery with its messages")
    .argument("<id>", "the delivery");
  withOutboxOptions(show).action((id: string, options: OutboxOptions) =>
    perform<OutboxOptions>((given, context) => showDelivery(id, given, context))(options),
  );
  const retry = outbox
    .command("retry")
    .description("try a dead letter again, or one that backs off at once")
    .argument("[id]", "the delivery")
    .option("--all", "every dead letter");
  withOutboxOptions(retry).action((id: string | undefined, options: OutboxOptions) =>
    perform<OutboxOptions>((given, context) => retryDelivery(id, given, context))(options),
  );
  const discard = outbox
    .command("discard")
    .description("remove a delivery that is not done and not running, for good")
    .argument("<id>", "the delivery");
  withOutboxOptions(discard).action((id: string, options: OutboxOptions) =>
    perform<OutboxOptions>((given, context) => discardDelivery(id, given, context))(options),
  );
  const stats = outbox.command("stats").description("count deliveries by state");
  withOutboxOptions(stats).action(perform<OutboxOptions>(outboxStats));
}

/** The command that runs a hook. */
export function addWorker(program: Command, perform: Perform): void {
  const command = program
    .command("worker")
    .description("run a durable hook on what waits for it, until SIGTERM or SIGINT")
    .requiredOption("--hook <file>", "a module that exports the hook as default or as `hook`")
    .option("--export <name>", "another export of the module")
    .option("--name <name>", "the name given to durable() (default: the module's export `name`)")
    .option("--concurrency <n>", "deliveries at once (default: 2)", count(1))
    .option("--lease-ms <n>", "how long a delivery is a silent worker's (default: 60000)", count(1))
    .option("--max-attempts <n>", "attempts until a delivery is dead (default: 8)", count(1))
    .option("--stop-ms <n>", "what running hooks have left after the signal", count(0), 25_000)
    .option("--drain", "end when nothing is due")
    .addHelpText("after", workerHelp);
  withPlace(command).action(perform<WorkerOptions>(worker));
}

function withOutboxOptions(command: Command): Command {
  return withPlace(command.option("--hook <name>", "of this hook alone"));
}

function withPlace(command: Command): Command {
  return command
    .option("--db <path>", "the file of the outbox, or its Postgres address", defaultDatabase)
    .option("--schema <name>", "the schema of its tables in Postgres", "keepsake")
    .option("--json", "print JSON, for programs")
    .helpOption("-h, --help", "show this help");
}

const outboxHelp = `
Examples:
  keepsake outbox stats --db memory.db
  keepsake outbox list --state dead
  keepsake outbox show 3f0c9c1e
  keepsake outbox retry --all --db postgres://localhost/app
`;

const workerHelp = `
The module runs in this process; it is a function (messages, namespace, context).
What is running when the signal comes is finished, or aborted when --stop-ms is
over: then it is tried again. A second signal ends the process at once.

Examples:
  keepsake worker --hook ./remember.js --db memory.db
  keepsake worker --hook ./hooks.js --export remember --name remember
  keepsake worker --hook ./remember.js --drain --json
`;
