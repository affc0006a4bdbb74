/** The contexts in which families look at their stored data while no service is open: for `fsck`, and for `doctor`. */
import type { Kernel, PublicKeyHex, TrustPolicy } from "@svc/core";
import type { Finding } from "@svc/host/checks";
import type { EventType } from "@svc/host/event-type";
import type { SettingTable, ValuesOf } from "@svc/host/settings";
import type { Database, Reader } from "@svc/host/store";
import type { DataFolder } from "./data-folder/data-folder.ts";
import type { KidSigner } from "./signing/file-signer.ts";
import type { KeySource } from "./signing/key-source.ts";
import type { ServerKeyedHash } from "./signing/keyed-hash.ts";
import type { SigningKeyRow } from "./signing/service-store.ts";
import type { WitnessMemoryReader } from "./witness-memory/witness-memory.ts";

/** The context of the check of rows. It holds no private key of the deployment. */
export interface CheckContext {
  readonly database: Pick<Database, "read">;
  readonly kernel: Kernel;
  /** The deployment's evidence origin. */
  readonly origin: string;
  readonly keyedHash: ServerKeyedHash;
  /** The folder of the packages of exports; null if it is not here, as in a backup. */
  readonly exportsPath: string | null;
  /** The folder of the archive; null if it is not here, as with a backup. */
  readonly archivePath: string | null;
  /** The folder of the private files; null if they are not here. */
  readonly privateFolder: string | null;
  /** Returns the values of a family's settings. */
  readonly settings: <Table extends SettingTable>(table: Table) => ValuesOf<Table>;
  /** The types of the events that the program records of itself. */
  readonly events: readonly EventType[];
  /** The memory of the service's own witness; null if it is not here, as with a backup. */
  readonly witnessMemory: Pick<WitnessMemoryReader, "list"> | null;
  /** The witnesses that the deployment feeds; none where no setting says it. */
  readonly witnesses: readonly { readonly name: string; readonly publicKeyHex: PublicKeyHex }[];
  /** A policy that pins the deployment's keys and the key of `signer`. */
  readonly trust: TrustPolicy;
  /** A key made for this check alone: it seals objects that are assembled only to be verified. */
  readonly signer: KidSigner;
  /** The keys that seal or have sealed, the newest first. */
  readonly keys: readonly SigningKeyRow[];
  /** Called with a few words about the next step. */
  readonly onStep: (words: string) => void;
}

/** The context of an operator's questions. */
export interface DiagnoseContext {
  readonly kernel: Kernel;
  /** The time of the question, in ms since 1970. */
  readonly now: number;
  readonly folder: DataFolder;
  /** The place of the sealing key. */
  readonly source: KeySource;
  /** Returns the values of a family's settings. */
  readonly settings: <Table extends SettingTable>(table: Table) => ValuesOf<Table>;
  /** Looks into the database, for the finding of this name; a failure of the look becomes the finding. */
  readonly read: (check: string, look: (reader: Reader) => Promise<Finding[]>) => Promise<Finding[]>;
}
