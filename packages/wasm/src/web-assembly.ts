/**
 * The used parts of WebAssembly and of every runtime's base64, declared here because this package compiles without any
 * runtime's types.
 */

/** A compiled module; it can be shared with workers. */
export interface WasmModule {
  readonly [Symbol.toStringTag]: "WebAssembly.Module";
}

interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

/** The exports of the kernel: functions of numbers, and its memory. */
export type WasmExports = Readonly<Record<string, ((...numbers: number[]) => number) | undefined>> & {
  readonly memory: WasmMemory;
};

interface WasmNamespace {
  readonly Module: new (bytes: Uint8Array) => WasmModule;
  /** The kernel imports nothing. */
  readonly Instance: new (
    module: WasmModule,
    imports: Record<string, never>,
  ) => { readonly exports: WasmExports };
  compile(bytes: Uint8Array): Promise<WasmModule>;
}

declare const WebAssembly: WasmNamespace | undefined;
declare const atob: (text: string) => string;

/** Returns WebAssembly of this runtime; undefined without one. */
export function webAssembly(): WasmNamespace | undefined {
  return typeof WebAssembly === "undefined" ? undefined : WebAssembly;
}

/** Returns the bytes of standard base64. */
export function decodeBase64(text: string): Uint8Array {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
