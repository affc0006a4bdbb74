/** The making of a package, as its caller and the thread that makes it see it: the order, the calls, and the result. */
import type { Kernel } from "@svc/core";
import type { Database } from "@svc/host/store";
import type { ArchivedPayloads } from "../archived/archived-payloads.ts";
import type { ChosenEvidence } from "../packs/collect-evidence.ts";
import type { CarriedKeys, CurrentKey } from "../signing/signing-key.ts";
import type { BuiltPackage, ChosenBundle, ExportRow } from "./exports-store.ts";
import type { PackageFiles } from "./package-files.ts";

/** The package to make, as plain values that can cross to another thread. */
export interface PackageOrder {
  readonly build: Pick<ExportRow, "export_id" | "tenant_id" | "build_no" | "attempts" | "payloads">;
  readonly packagedAt: string;
  /** The deployment's evidence origin. */
  readonly origin: string;
  /** The key that seals the package; its private half stays with the caller. */
  readonly key: Pick<CurrentKey, "kid" | "publicKeyHex" | "validFrom">;
  readonly carried: CarriedKeys;
  readonly maxBytes: number;
}

/** The capabilities on the thread that makes the package. */
export interface MakingNeeds {
  readonly database: Pick<Database, "read">;
  readonly archived: ArchivedPayloads;
  readonly kernel: Kernel;
  readonly files: Pick<PackageFiles, "workPathOf">;
}

/** The steps that only the caller can take. A rejection ends the making, and is its outcome. */
export interface MakingCalls {
  /** Stores the choice for the bundle of a stream, and resolves to it with the bundle's id. */
  keep(streamId: string, evidence: ChosenEvidence): Promise<ChosenBundle>;
  /** Resolves to the signature of a message by the order's key. */
  sign(message: Uint8Array): Promise<Uint8Array>;
  /** Is called after each piece. */
  pulse(): Promise<void>;
}

/** A package whose archive is on the disk, under its unfinished name. */
export interface MadePackage extends BuiltPackage {
  /** How many streams it holds. */
  readonly streams: number;
  /** Whether one of its bundles lacks cosignatures that the witness policy asks for. */
  readonly lacksQuorum: boolean;
}
