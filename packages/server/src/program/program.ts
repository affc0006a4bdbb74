/**
 * A program that serves evidence: the families of the thin server, and perhaps more. Its commands and its threads are
 * handed this value; they import no list of families.
 */
import type { Topic } from "@svc/host/channel";
import type { EventType } from "@svc/host/event-type";
import type { Part } from "@svc/host/parts";
import type { AnyRead } from "@svc/host/reads";
import type { Schema, Table } from "@svc/host/store";
import type { Command } from "commander";
import type { Context, ReadContext, ServerFamily } from "../context.ts";
import type { ServerSettings } from "../settings/settings.ts";

/** A program, as programOf makes it. */
export interface Program {
  /** The word that starts it, such as `svc-server`. */
  readonly name: string;
  /** A sentence for its help. */
  readonly description: string;
  /** The words that start it in the repository, without a command. */
  readonly callInRepository: string;
  /** The families in the order in which they are opened; those of the thin server come first. */
  readonly families: readonly ServerFamily[];
  /** The schemas in the order in which they are applied; that of the thin server comes first. */
  readonly schemas: readonly Schema[];
  /** The tables of all families and of the host, each behind those that its rows name. */
  readonly tables: readonly Table[];
  /** All settings by the names of their values: those of the process, and those of the families. */
  readonly settings: ServerSettings;
  /** The types of the events that the families record of themselves. */
  readonly events: readonly EventType[];
  /** The topics whose messages reach the answering side too. A message is data, or an error. */
  readonly tells: readonly Topic<unknown>[];
  /** The parts of all families. */
  readonly parts: readonly Part<Context, object>[];
  /** The long reads of all families. */
  readonly reads: readonly AnyRead<ReadContext>[];
  readonly threads: ThreadPrograms;
  /** Makes its own commands, beside those of every program. */
  readonly commands: (program: Program) => readonly Command[];
}

/** The places of the programs of its threads, which know the same families. */
export interface ThreadPrograms {
  readonly recording: URL;
  readonly reading: URL;
}
