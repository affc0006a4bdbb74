/** The messages between the thread that makes a package and the answering one. */
import type { DatabaseLocation } from "@svc/host/store";
import type { Thrown } from "@svc/host/threads";
import type { ChosenEvidence } from "../packs/collect-evidence.ts";
import type { MissingEvidence } from "../packs/missing-evidence.ts";
import type { ChosenBundle } from "./exports-store.ts";
import type { MadePackage, PackageOrder } from "./making.ts";

/** The task of a thread: one package. */
export interface MakingTask {
  /** The place of the database, which the thread only reads. */
  readonly databaseLocation: DatabaseLocation;
  /** The folder of the packages. */
  readonly folder: string;
  /** The folder of the archive. */
  readonly archivePath: string;
  readonly order: PackageOrder;
}

/** The outcome of a task. */
export type MakingAnswer = { readonly made: MadePackage | MissingEvidence } | { readonly thrown: Thrown };

/** A step that the thread asks for. The replies: the chosen bundle, the signature, and null. */
export type MakingStep =
  | { readonly keep: { readonly streamId: string; readonly evidence: ChosenEvidence } }
  | { readonly sign: Uint8Array }
  | { readonly check: true };

/** The reply to a step. */
export type MakingReply = ChosenBundle | Uint8Array | null;
