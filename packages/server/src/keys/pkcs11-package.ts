/**
 * The package pkcs11js as far as it is used here, and how it is found. It is compiled for a machine, so it is never installed with the server: whoever
 * keeps the sealing key on a token puts it there. Its types are declared here, so that nothing else ever needs it.
 */
import { DataFolderError } from "../data-folder/data-folder.ts";

/** A number of the library's own: of a slot, a session or an object. */
export type Handle = Buffer;

/** What an object has, or is looked for by. */
export interface Attribute {
  readonly type: number;
  readonly value?: number | string | Buffer;
}

/** A loaded PKCS#11 library. Every method throws an error whose message is the name of the code, such as `CKR_PIN_INCORRECT`. */
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
  /** Answers the part of `into` that was written. */
  C_SignAsync(session: Handle, data: Buffer, into: Buffer): Promise<Buffer>;
}

/** The package: the library's class, and the constants of the standard that are used. */
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

/** A name in a variable, or the compiler would look for the package. */
const PACKAGE = "pkcs11js";

/** Loads the package. Throws DataFolderError where it is not there. */
export async function loadPkcs11(): Promise<Pkcs11> {
  try {
    const loaded = await import(PACKAGE);
    return loaded.default ?? loaded;
  } catch (error) {
    throw new DataFolderError(
      `The package ${PACKAGE} is not there (${(error as Error).message.split("\n")[0]}). Install it beside the server, with a C++ compiler at hand (npm install ${PACKAGE}), or keep the key in a file.`,
    );
  }
}
