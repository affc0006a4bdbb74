/**
 * The page: takes files, asks the engine, shows its answers. All shown parts come from the report package, which words
 * reports.
 */
import { counted, el, escapeText, shorten } from "@svc/report";
import { Cancelled, EngineClient } from "../engine/engine-client.ts";
import type { FoundFork, Opened, Outcome, Progress, SuppliedFile } from "../engine/messages.ts";
import { eventsTable } from "./events-table.ts";
import { ELSEWHERE, fileList, summaryOf, worstOf } from "./file-list.ts";
import { takeFiles } from "./inputs.ts";
import { keepBytes } from "./keep-bytes.ts";
import { KeysPanel } from "./keys-panel.ts";
import { byId, mount } from "./mount.ts";
import { SaltField } from "./salt-field.ts";
import { reportName, saveText } from "./save.ts";

/** A page that is running. */
export class App {
  readonly #engine: EngineClient;
  readonly #keys: KeysPanel;
  readonly #salt: SaltField;
  #files: readonly SuppliedFile[] = [];
  #outcomes: readonly Outcome[] = [];
  #forks: readonly FoundFork[] = [];
  /** Resolves when the files have the bytes that every check of them is about. */
  #kept: Promise<void> = Promise.resolve();
  /** Counts the checks, so that late results of an earlier one are dropped. */
  #run = 0;

  constructor(script: string) {
    this.#engine = new EngineClient(script, (progress) => this.#tell(progress));
    this.#keys = new KeysPanel(() => this.#check());
    this.#salt = new SaltField(() => this.#check());
    takeFiles((files) => {
      this.#files = [...this.#files, ...files];
      this.#kept = this.#keep(files);
      this.#check();
    });
    byId("cancel").addEventListener("click", () => this.#cancel());
    byId("clear").addEventListener("click", () => this.#clear());
    this.#start();
  }

  /** Says which kernel computes, and where, if that is not the usual one. */
  async #start(): Promise<void> {
    try {
      const { kernel, why } = await this.#engine.call("start");
      const isOnPage = (await this.#engine.place()) === "page";
      byId("running-kernel").textContent = kernel === null ? "the reference kernel" : `kernel ${kernel.slice(0, 16)}…`;
      const said = [
        ...(why === null
          ? []
          : ["Compiled code is not allowed here, so the reference kernel computes: as exactly, and much slower."]),
        ...(isOnPage
          ? [
              "Workers are not allowed here, so the page computes by itself: with a large file it may not answer " +
                "for seconds at a time, Cancel neither.",
            ]
          : []),
      ];
      byId("limits").textContent = said.join(" ");
    } catch (error) {
      this.#fail(error);
    }
    document.documentElement.dataset.state = "ready";
  }

  async #check(): Promise<void> {
    if (this.#files.length === 0) return;
    await this.#work(async (isWanted) => {
      await this.#kept;
      if (!isWanted()) return;
      const { pinned, fromLink } = this.#keys;
      const { outcomes, forks } = await this.#engine.call("check", this.#files, { pinned, fromLink }, this.#salt.salt);
      if (!isWanted()) return;
      this.#outcomes = outcomes;
      this.#forks = forks;
      const worst = worstOf(outcomes);
      if (worst === null) this.#drawFiles(null);
      else await this.#show(worst, isWanted);
      if (!isWanted()) return;
      this.#busy(false);
      // With several files, no single verdict stands for all.
      this.#goTo(document.getElementById("files-title") ?? byId("verdict-sentence"), document.body);
    });
  }

  /** Puts files with their bytes in the place of those given, unless these have been taken away meanwhile. */
  async #keep(files: readonly SuppliedFile[]): Promise<void> {
    const before = this.#kept;
    const kept = await keepBytes(files);
    await before;
    this.#files = this.#files.map((file) => kept.get(file) ?? file);
  }

  /** Does the work that the reader wants now. Running work for something else is no longer wanted. */
  async #work(work: (isWanted: () => boolean) => Promise<void>): Promise<void> {
    const run = ++this.#run;
    const isWanted = () => run === this.#run;
    const isBusy = document.documentElement.dataset.state === "busy";
    document.documentElement.dataset.state = "busy";
    this.#busy(true);
    try {
      if (isBusy) await this.#engine.cancel();
      if (isWanted()) await work(isWanted);
      if (isWanted()) this.#done();
    } catch (error) {
      if (isWanted()) this.#fail(error);
    }
  }

  async #show(index: number, isWanted: () => boolean): Promise<void> {
    const opened = await this.#engine.call("open", index);
    if (!isWanted()) return;
    this.#drawFiles(index);
    this.#draw(opened, this.#files[index]?.name ?? "");
  }

  async #open(index: number, isWanted: () => boolean): Promise<void> {
    await this.#show(index, isWanted);
    if (!isWanted()) return;
    this.#busy(false);
    const sentence = byId("verdict-sentence");
    this.#goTo(sentence, sentence.closest(".verdict") ?? sentence);
  }

  /** Brings the verdict into view, and moves the focus there for keyboards and screen readers. */
  #goTo(heading: HTMLElement, view: Element): void {
    heading.focus({ preventScroll: true });
    view.scrollIntoView();
  }

  /**
   * Folds the fields for files and keys into a line once there is a verdict; before that, the page shows nothing else.
   */
  #fold(isAnswered: boolean): void {
    document.body.classList.toggle("answered", isAnswered);
    byId<HTMLDetailsElement>("ask").open = !isAnswered;
    byId("lead").hidden = this.#files.length > 0;
    byId("again").hidden = this.#files.length === 0;
    const { pinned, fromLink } = this.#keys;
    const own = pinned.length - fromLink.length;
    const said = [
      own > 0 ? ` · ${counted(own, "key")} pinned` : "",
      fromLink.length > 0 ? ` · ${counted(fromLink.length, "key")} from the link` : "",
      this.#outcomes.some(({ role }) => role === "trust") ? " · your trust file" : "",
    ].join("");
    byId("ask-line").textContent = said === "" ? "Pin a key, or check another file" : `Check another file${said}`;
  }

  #drawFiles(shown: number | null): void {
    const isWorth = this.#outcomes.length > 1 || this.#outcomes.some(({ role }) => role !== "evidence");
    const open = (index: number) => this.#work((isWanted) => this.#open(index, isWanted));
    this.#salt.show(this.#outcomes.some((outcome) => outcome.role === "payload" && outcome.lacksSalt));
    byId("files-place").replaceChildren(
      ...(isWorth ? [fileList(this.#outcomes, this.#forks, shown, open, (...asked) => this.#prove(...asked))] : []),
    );
    if (shown === null) this.#place([]);
    this.#fold(shown !== null);
  }

  /** Puts the verdict above the line that asks for more, and everything else below it. */
  #place([band, ...rest]: readonly Node[]): void {
    byId("result").replaceChildren(...(band === undefined ? [] : [band]));
    byId("rest").replaceChildren(...rest);
  }

  #draw({ look, hasProblems, sections, events, eventTypes }: Opened, name: string): void {
    this.#place([
      ...sections.above.map((part) => mount(part)),
      ...(events > 0 ? [eventsTable(this.#engine, events, eventTypes, hasProblems)] : []),
      ...sections.below.map((part) => mount(part)),
      this.#saving(name),
    ]);
    document.title = `${look.mark} ${look.word} · ${shorten(escapeText(name))}`;
  }

  #saving(name: string): Node {
    const button = (text: string) => el("button", { type: "button" }, text);
    const bar = mount(
      el(
        "section",
        { class: "saving", "aria-label": "Keep this report" },
        button("Save the report as a page"),
        button("Save it as JSON"),
        button("Print"),
        el(
          "label",
          { class: "check" },
          el("input", { type: "checkbox", name: "payloads", checked: "" }),
          " The saved page has the payloads",
        ),
      ),
    ) as HTMLElement;
    const [page, json, print] = bar.querySelectorAll("button");
    const payloads = bar.querySelector("input");
    page?.addEventListener("click", () => this.#save("html", name, payloads?.checked));
    json?.addEventListener("click", () => this.#save("json", name));
    print?.addEventListener("click", () => window.print());
    return bar;
  }

  /** Saves portable proof of a fork. */
  async #prove({ files: [left = 0, right = 0], place }: FoundFork, button: HTMLElement): Promise<void> {
    try {
      const seqNo = place !== undefined && "seq_no" in place ? place.seq_no : 0;
      const text = await this.#engine.call("proof", left, right, seqNo);
      if (text === null) button.replaceWith(ELSEWHERE);
      else saveText("fork.json", "application/json", text);
    } catch (error) {
      this.#fail(error);
    }
  }

  async #save(form: "json" | "html", name: string, payloads = true): Promise<void> {
    try {
      const text = await this.#engine.call("saved", form, payloads);
      saveText(reportName(name, form), form === "json" ? "application/json" : "text/html", text);
    } catch (error) {
      this.#fail(error);
    }
  }

  #tell({ phase, file, done, of }: Progress): void {
    const name = shorten(escapeText(file));
    byId("phase").textContent = phase === "reading" ? `Reading ${name}` : `Checking ${name}`;
    const bar = byId<HTMLProgressElement>("bar");
    if (of > 1) {
      bar.max = of;
      bar.value = done;
    } else bar.removeAttribute("value");
  }

  #busy(isBusy: boolean): void {
    byId("progress").hidden = !isBusy;
    // The visible result is about other files, or under other keys.
    for (const id of ["result", "rest"]) byId(id).toggleAttribute("inert", isBusy);
    if (!isBusy) byId("phase").textContent = "";
  }

  #done(): void {
    this.#busy(false);
    byId("said").textContent = summaryOf(this.#outcomes, this.#forks);
    document.documentElement.dataset.state = "done";
  }

  async #cancel(): Promise<void> {
    this.#run++;
    this.#forget();
    byId("said").textContent = "Cancelled. Nothing was decided.";
    document.documentElement.dataset.state = "cancelled";
    await this.#engine.cancel();
  }

  async #clear(): Promise<void> {
    this.#run++;
    this.#forget();
    byId("said").textContent = "";
    document.documentElement.dataset.state = "ready";
    await this.#engine.cancel();
  }

  #forget(): void {
    this.#files = [];
    this.#outcomes = [];
    this.#forks = [];
    this.#salt.clear();
    byId("files-place").replaceChildren();
    this.#place([]);
    this.#fold(false);
    this.#busy(false);
    document.title = "Check evidence";
    this.#goTo(byId("file"), document.body);
  }

  /** There is no verdict, and the page says so: a failure must not look like the verdict of another file. */
  #fail(error: unknown): void {
    if (error instanceof Cancelled) return;
    this.#busy(false);
    byId("files-place").replaceChildren();
    this.#fold(true);
    const reason = escapeText(error instanceof Error ? error.message : String(error));
    this.#place([
      mount(
        el(
          "section",
          { class: "verdict warn", role: "alert" },
          el("p", { class: "word" }, "NO VERDICT"),
          el("h2", {}, "The file could not be checked here."),
          el("p", {}, shorten(reason)),
          el("p", {}, "Try it with svc, the command line tool; if this happens again, please report it."),
        ),
      ),
    ]);
    document.documentElement.dataset.state = "failed";
  }
}
