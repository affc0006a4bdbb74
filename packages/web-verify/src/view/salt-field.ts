/** The field for the salt of a payload that came without it. Any other text is reported, and not used. */
import { byId } from "./mount.ts";

/** The field; it is visible only while it is of use. */
export class SaltField {
  #salt: string | null = null;

  /** Calls `onChange` when the salt has changed. */
  constructor(onChange: () => void) {
    byId("salt-form").addEventListener("submit", (event) => {
      event.preventDefault();
      const input = byId<HTMLInputElement>("salt");
      const text = input.value.trim().toLowerCase();
      const isSalt = /^[0-9a-f]{32}$/.test(text);
      byId("salt-fault").textContent = isSalt ? "" : "A salt is 32 hex characters: 0 to 9 and a to f.";
      if (isSalt) input.removeAttribute("aria-invalid");
      else input.setAttribute("aria-invalid", "true");
      if (!isSalt) return input.focus();
      this.#salt = text;
      onChange();
    });
  }

  /** 32 lowercase hex characters; null if the reader gave none. */
  get salt(): string | null {
    return this.#salt;
  }

  /** Shows the field if a salt is missing or was given, and hides it otherwise. */
  show(isMissing: boolean): void {
    byId("salt-form").hidden = !isMissing && this.#salt === null;
  }

  /** Forgets the salt. */
  clear(): void {
    this.#salt = null;
    byId<HTMLInputElement>("salt").value = "";
    byId("salt-fault").textContent = "";
    this.show(false);
  }
}
