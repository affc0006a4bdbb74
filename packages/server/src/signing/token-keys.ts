/**
 * Sealing keys on a PKCS#11 token, such as a hardware module or SoftHSM: Ed25519 pairs of one label, which the operator
 * makes there. The private key never leaves the token. It needs the package pkcs11js, which the operator installs. It
 * does NOT check whether the token keeps the key secret.
 */
import { readFileSync } from "node:fs";
import { type Kernel, type Kid, kidOf, type PublicKeyHex } from "@svc/core";
import { UsageError } from "@svc/host/settings";
import { DataFolderError } from "../data-folder/data-folder.ts";
import type { KidSigner } from "./file-signer.ts";
import type { TokenSettings } from "./key-settings.ts";
import type { KeySource } from "./key-source.ts";
import { type Attribute, type Handle, loadPkcs11, type Pkcs11, type Pkcs11Module } from "./pkcs11-package.ts";

/** Constants of PKCS#11 3.0 that the package lacks. */
const CKK_EC_EDWARDS = 0x40;
const CKM_EDDSA = 0x1057;
/** A session signs one message at a time. */
const SESSIONS = 4;
/** More keys than anybody keeps under one label. */
const MOST_KEYS = 64;
/** The last bytes of an EC_POINT, in any wrapping. */
const PUBLIC_KEY_BYTES = 32;

/** Returns the source of keys on a token. */
export function tokenKeys(kernel: Kernel, settings: TokenSettings): KeySource {
  const { token, label, module } = settings;
  let opened: Promise<Token> | null = null;
  const session = () => {
    opened ??= Token.open(settings);
    opened.catch(() => {
      opened = null;
    });
    return opened;
  };
  const letGo = () => {
    void opened?.then((one) => one.close()).catch(() => undefined);
    opened = null;
  };
  const sign = async (publicKeyHex: PublicKeyHex, message: Uint8Array) => {
    try {
      return await (await session()).sign(publicKeyHex, message);
    } catch (error) {
      // A token that was removed comes back with other sessions: the next signature starts with new ones.
      letGo();
      throw error;
    }
  };
  const keys = async (): Promise<KidSigner[]> =>
    (await session()).publicKeys().map((publicKeyHex) => ({
      publicKeyHex,
      kid: kidOf(kernel, publicKeyHex),
      sign: (message) => sign(publicKeyHex, message),
      signAll: (messages) => Promise.all(messages.map((message) => sign(publicKeyHex, message))),
    }));
  const only = (found: readonly KidSigner[], what: string): KidSigner => {
    const [one, ...others] = found;
    if (one !== undefined && others.length === 0) return one;
    throw new DataFolderError(
      `Token ${token} has ${found.length} Ed25519 key pairs labelled ${label}${what}, and there must be one. ` +
        `Make one with: pkcs11-tool --module ${module} --token-label ${token} --login --keypairgen --key-type ` +
        `EC:edwards25519 --label ${label} --id <a new id>`,
    );
  };
  return {
    place: `key ${label} on PKCS#11 token ${token}`,
    isLive: true,
    keys,
    first: async () => only(await keys(), ""),
    successor: async (known: ReadonlySet<Kid>) =>
      only(
        (await keys()).filter(({ kid }) => !known.has(kid)),
        " that have never sealed here",
      ),
    settle: () => undefined,
    close: letGo,
  };
}

/** A logged-in connection to a token. */
class Token {
  readonly #pkcs11: Pkcs11;
  readonly #module: Pkcs11Module;
  readonly #label: string;
  readonly #sessions: Handle[];
  readonly #idle: Handle[];
  readonly #waiting: ((session: Handle) => void)[] = [];
  readonly #privateKeys = new Map<PublicKeyHex, Handle>();
  #isClosing = false;

  private constructor(pkcs11: Pkcs11, module: Pkcs11Module, label: string, sessions: Handle[]) {
    this.#pkcs11 = pkcs11;
    this.#module = module;
    this.#label = label;
    this.#sessions = sessions;
    this.#idle = [...sessions];
  }

  static async open({ module: path, token, label, pinFile }: TokenSettings): Promise<Token> {
    const pkcs11 = await loadPkcs11();
    const pin = readPin(pinFile);
    const module = new pkcs11.PKCS11();
    try {
      module.load(path);
      module.C_Initialize({ flags: pkcs11.CKF_OS_LOCKING_OK });
      const slot = module.C_GetSlotList(true).find((one) => module.C_GetTokenInfo(one).label.trim() === token);
      if (slot === undefined) throw new DataFolderError(`${path} shows no token labelled ${token}.`);
      const sessions = Array.from({ length: SESSIONS }, () => module.C_OpenSession(slot, pkcs11.CKF_SERIAL_SESSION));
      const [first] = sessions;
      if (first !== undefined) module.C_Login(first, pkcs11.CKU_USER, pin);
      return new Token(pkcs11, module, label, sessions);
    } catch (error) {
      endModule(module);
      if (error instanceof DataFolderError) throw error;
      const says =
        `Token ${token} cannot be used through ${path}: ${(error as Error).message}. Check SVC_PKCS11_MODULE, the ` +
        `token, and the PIN in ${pinFile}.`;
      // This is a wrong setting, which no supervisor may retry: after a few wrong PINs a token is locked.
      if (/^CKR_PIN_/.test((error as Error).message)) throw new UsageError([says]);
      throw new DataFolderError(says);
    }
  }

  /** Returns the public keys of the pairs with the label whose private half is on the token. */
  publicKeys(): PublicKeyHex[] {
    const { CKA_CLASS, CKA_KEY_TYPE, CKA_LABEL, CKA_ID, CKA_EC_POINT, CKO_PRIVATE_KEY, CKO_PUBLIC_KEY } = this.#pkcs11;
    const [session] = this.#sessions;
    if (session === undefined) return [];
    this.#privateKeys.clear();
    const type = { type: CKA_KEY_TYPE, value: CKK_EC_EDWARDS };
    const ofClass = (value: number) => ({ type: CKA_CLASS, value });
    for (const handle of this.#find([ofClass(CKO_PRIVATE_KEY), type, { type: CKA_LABEL, value: this.#label }])) {
      const [id] = this.#module.C_GetAttributeValue(session, handle, [{ type: CKA_ID }]);
      const named = { type: CKA_ID, value: id?.value as Buffer };
      for (const publicHalf of this.#find([ofClass(CKO_PUBLIC_KEY), type, named])) {
        const [point] = this.#module.C_GetAttributeValue(session, publicHalf, [{ type: CKA_EC_POINT }]);
        if (!Buffer.isBuffer(point?.value)) continue;
        const publicKeyHex = point.value.subarray(-PUBLIC_KEY_BYTES).toString("hex") as PublicKeyHex;
        this.#privateKeys.set(publicKeyHex, handle);
      }
    }
    return [...this.#privateKeys.keys()];
  }

  /** Resolves to the 64-byte signature of a message. */
  async sign(publicKeyHex: PublicKeyHex, message: Uint8Array): Promise<Uint8Array> {
    if (!this.#privateKeys.has(publicKeyHex)) this.publicKeys();
    const key = this.#privateKeys.get(publicKeyHex);
    if (key === undefined) throw new DataFolderError("The token no longer has the key that seals.");
    const session = this.#idle.pop() ?? (await new Promise<Handle>((resolve) => this.#waiting.push(resolve)));
    try {
      this.#module.C_SignInit(session, { mechanism: CKM_EDDSA }, key);
      return new Uint8Array(await this.#module.C_SignAsync(session, Buffer.from(message), Buffer.alloc(64)));
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#idle.push(session);
      else next(session);
      this.#endWhenIdle();
    }
  }

  /** Ends once no signature is running: a library that ends during a signature crashes the process. */
  close(): void {
    this.#isClosing = true;
    this.#endWhenIdle();
  }

  #endWhenIdle(): void {
    if (this.#isClosing && this.#idle.length === this.#sessions.length) endModule(this.#module);
  }

  #find(template: readonly Attribute[]): Handle[] {
    const [session] = this.#sessions;
    if (session === undefined) return [];
    this.#module.C_FindObjectsInit(session, template);
    try {
      return this.#module.C_FindObjects(session, MOST_KEYS);
    } finally {
      this.#module.C_FindObjectsFinal(session);
    }
  }
}

function readPin(pinFile: string): string {
  try {
    return readFileSync(pinFile, "utf8").trim();
  } catch (error) {
    throw new UsageError([
      `SVC_PKCS11_PIN_FILE names ${pinFile}, which cannot be read (${(error as NodeJS.ErrnoException).code}). ` +
        `Put the user's PIN into it, 0600.`,
    ]);
  }
}

function endModule(module: Pkcs11Module): void {
  for (const end of [() => module.C_Finalize(), () => module.close()])
    try {
      end();
    } catch {
      // The library was never initialised, or has ended already.
    }
}
