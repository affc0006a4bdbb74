/** The part of the page where the reader says whose keys count, and sees the source of each. */
import { el } from "@svc/report";
import { parseKeys } from "../trust/key-text.ts";
import {
  canRemember,
  firstKeys,
  type KeySource,
  type PinnedKey,
  remember,
  rememberedKeys,
  withKey,
} from "../trust/pinned-keys.ts";
import { byId, mount } from "./mount.ts";

const SOURCES: Readonly<Record<KeySource, string>> = {
  pasted: "you pasted it",
  link: "it came with the link to this page, whose sender chose it",
  remembered: "remembered in this browser for this site",
};

const FROM_DISK =
  "Opened from the disk, this page remembers no keys: any other page on the disk could put one there in your name.";

/** The panel. It calls `onChange` when the keys that count have changed. */
export class KeysPanel {
  #keys: readonly PinnedKey[];
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
    this.#keys = firstKeys(location.hash);
    const box = byId<HTMLInputElement>("remember");
    box.checked = rememberedKeys().length > 0;
    box.disabled = !canRemember();
    if (box.disabled) byId("remember-about").textContent = FROM_DISK;
    byId("key-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#add();
    });
    byId("remember").addEventListener("change", () => this.#remember());
    window.addEventListener("hashchange", () => this.#addFromLink());
    this.#draw();
  }

  get pinned(): string[] {
    return this.#keys.map(({ hex }) => hex);
  }

  get fromLink(): string[] {
    return this.#keys.flatMap(({ hex, source }) => (source === "link" ? [hex] : []));
  }

  #add(): void {
    const input = byId<HTMLInputElement>("key");
    const read = parseKeys(input.value);
    const fault = "fault" in read ? read.fault : "";
    byId("key-fault").textContent = fault;
    if (fault === "") input.removeAttribute("aria-invalid");
    else input.setAttribute("aria-invalid", "true");
    if ("fault" in read) {
      input.focus();
      return;
    }
    input.value = "";
    this.#set(read.keys.reduce((keys, hex) => withKey(keys, { hex, source: "pasted" }), [...this.#keys]));
  }

  /** Links inside of the page change the fragment too, and name no key. */
  #addFromLink(): void {
    const fromLink = firstKeys(location.hash).filter(({ source }) => source === "link");
    const fresh = fromLink.filter(({ hex }) => !this.pinned.includes(hex));
    if (fresh.length > 0) this.#set([...this.#keys, ...fresh]);
  }

  #set(keys: readonly PinnedKey[]): void {
    this.#keys = keys;
    if (byId<HTMLInputElement>("remember").checked) this.#remember();
    this.#draw();
    this.#onChange();
  }

  /** A key that only a link named is not remembered: next time it would look like the reader's own. */
  #remember(): void {
    const isWanted = byId<HTMLInputElement>("remember").checked;
    const own = this.#keys.filter(({ source }) => source !== "link");
    const isKept = remember(own, isWanted && own.length > 0);
    byId("remember-state").textContent = isKept ? "" : "This browser keeps nothing for this page.";
  }

  #draw(): void {
    const items = this.#keys.map(({ hex, source }) =>
      el(
        "li",
        {},
        el("code", {}, hex),
        el(
          "span",
          { class: source === "link" ? "quiet from-link" : "quiet" },
          ` ${source === "link" ? "◐ " : ""}${SOURCES[source]} `,
        ),
        el(
          "button",
          { type: "button", class: "link", value: hex, "aria-label": `remove key ${hex.slice(0, 8)}…` },
          "remove",
        ),
      ),
    );
    const list = byId("keys");
    list.replaceChildren(...items.map((item) => mount(item)));
    byId("remembering").hidden = items.length === 0 && !byId<HTMLInputElement>("remember").checked;
    for (const button of list.querySelectorAll("button"))
      button.addEventListener("click", () => this.#set(this.#keys.filter(({ hex }) => hex !== button.value)));
  }
}
