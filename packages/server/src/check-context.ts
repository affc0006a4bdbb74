/** What families are given to look at what they have stored, where no service is open: by `fsck`, and by `doctor`. */
import type { Kernel, TrustPolicy } from "@svc/core";
import type { Finding } from "@svc/host/checks";
import type { Database, Reader } from "@svc/host/store";
import type { DataFolder } from "./data-folder/data-folder.ts";
import type { PackageFiles } from "./exports/package-files.ts";
import type { KidSigner } from "./keys/file-signer.ts";
import type { KeySource } from "./keys/key-source.ts";
import type { ServerKeyedHash } from "./keys/keyed-hash.ts";
import type { SigningKeyRow } from "./tenancy/service-store.ts";

/** For the check of rows. Holds no private key of the deployment. */
export interface CheckContext {
  readonly database: Pick<Database, "read">;
  readonly kernel: Kernel;
  /** The deployment's evidence origin. */
  readonly origin: string;
  readonly keyedHash: ServerKeyedHash;
  /** Null where the packages of exports are not here, as in a backup. */
  readonly packages: PackageFiles | null;
  /** Pins the deployment's keys and that of `signer`. */
  readonly trust: TrustPolicy;
  /** A key made for the check alone: it seals what is put together to be verified. */
  readonly signer: KidSigner;
  /** The keys that seal or sealed, the newest first. */
  readonly keys: readonly SigningKeyRow[];
  /** Told, in a few words, of what is looked at next. */
  readonly onStep: (words: string) => void;
}

/** For an operator's questions. */
export interface DiagnoseContext {
  readonly kernel: Kernel;
  /** The time of the question, in ms since 1970. */
  readonly now: number;
  readonly folder: DataFolder;
  /** Where the sealing key is. */
  readonly source: KeySource;
  /** Looks into the database, for the finding of this name; where that fails, the failure is the finding. */
  readonly read: (check: string, look: (reader: Reader) => Promise<Finding[]>) => Promise<Finding[]>;
}
