/**
 * The used part of the package pkcs11js, and its loading. The package is compiled for a machine, so it is never
 * installed with the server: an operator who keeps the sealing key on a token installs it. Its types are declared here,
 * so that no other file ever needs it.
 */
import { DataFolderError } from "../data-folder/data-folder.ts";

/** The library's own number of a slot, a session or an object. */
export type Handle = Buffer;

/** An attribute of an object, or of a search. */
export interface Attribute {
  readonly type: number;
  readonly value?: number | string | Buffer;
}

/**
 * A loaded PKCS#11 library. Every method throws an error whose message is the name of the code, such as
 * `CKR_PIN_INCORRECT`.
 */
export interface Pkcs11Module {
  load(path: string): void;
  close(): void;
  C_Initialize(options: { readonly flags: number }): void;
  C_Finalize(): void;
  C_GetSlotList(tokenPresent: boolean): Handle[];
  C_GetTokenInfo(slot: Handle): { readonly label: string };
  C_OpenSession(slot: Handle, flags: number): Handle;
  C_Login(session: Handle, userType: number, pin: string): void;
  C_FindObjectsInit(session: Handle, template: readonly Attribute[]): void;
  C_FindObjects(session: Handle, most: number): Handle[];
  C_FindObjectsFinal(session: Handle): void;
  C_GetAttributeValue(session: Handle, object: Handle, template: readonly Attribute[]): Attribute[];
  C_SignInit(session: Handle, mechanism: { readonly mechanism: number }, key: Handle): void;
  /** Resolves to the written part of `into`. */
  C_SignAsync(session: Handle, data: Buffer, into: Buffer): Promise<Buffer>;
}

/** The package: the library's class, and the used constants of the standard. */
export type Pkcs11 = { readonly PKCS11: new () => Pkcs11Module } & Readonly<
  Record<
    | "CKA_CLASS"
    | "CKA_EC_POINT"
    | "CKA_ID"
    | "CKA_KEY_TYPE"
    | "CKA_LABEL"
    | "CKF_OS_LOCKING_OK"
    | "CKF_SERIAL_SESSION"
    | "CKO_PRIVATE_KEY"
    | "CKO_PUBLIC_KEY"
    | "CKU_USER",
    number
  >
>;

/** The name is in a variable, because otherwise the compiler would look for the package. */
const PACKAGE = "pkcs11js";

/** Loads the package. Rejects with DataFolderError if it is not installed. */
export async function loadPkcs11(): Promise<Pkcs11> {
  try {
    const loaded = await import(PACKAGE);
    return loaded.default ?? loaded;
  } catch (error) {
    throw new DataFolderError(
      `The package ${PACKAGE} is not there (${(error as Error).message.split("\n")[0]}). Install it beside the ` +
        `server, with a C++ compiler at hand (npm install ${PACKAGE}), or keep the key in a file.`,
    );
  }
}
