/**
 * Starts a kernel, without words about it. Node inflates and computes SHA-256 itself, so that the compiled kernel
 * starts at once. The kernel keeps Node's digests and checksums, which are the same and faster, for whole files and
 * their parts.
 */
import { createHash } from "node:crypto";
import zlib from "node:zlib";
import {
  type Hasher,
  type Kernel,
  KernelDamaged,
  type KernelName,
  KernelUnavailable,
  referenceKernel,
  startWasmKernel,
} from "@svc/core";

/** Node hashes less than 2 GiB in one call. */
const CALL_BYTES = 2 ** 30;
/** Node 20 has it from 20.15 on. */
const { crc32 } = zlib as Partial<Pick<typeof zlib, "crc32">>;

/**
 * Returns the kernel of that name; without one the compiled kernel, or the reference kernel if this runtime has no
 * WebAssembly. Throws KernelUnavailable, KernelDamaged.
 */
export function startKernel(name?: KernelName): Kernel {
  if (name === "reference") return referenceKernel;
  try {
    const kernel = startWasmKernel(undefined, {
      sha256,
      unpack: (base64, sizeBytes) => zlib.inflateRawSync(Buffer.from(base64, "base64"), { maxOutputLength: sizeBytes }),
    });
    return { ...kernel, sha256, hasher, ...(crc32 && { crc32 }) };
  } catch (error) {
    if (name === undefined && error instanceof KernelUnavailable && !(error instanceof KernelDamaged))
      return referenceKernel;
    throw error;
  }
}

function hasher(): Hasher {
  const hash = createHash("sha256");
  return {
    update(bytes) {
      for (let at = 0; at < bytes.length; at += CALL_BYTES) hash.update(bytes.subarray(at, at + CALL_BYTES));
    },
    digest: () => hash.digest(),
  };
}

function sha256(bytes: Uint8Array): Uint8Array {
  const whole = hasher();
  whole.update(bytes);
  return whole.digest();
}
