/** The page: takes files, asks the engine, shows what it answers. Everything shown comes as parts from the package that words reports. */
import { el, escapeText, grouped, shorten, VERDICTS } from "@svc/report";
import { Cancelled, EngineClient } from "../engine/engine-client.ts";
import type { GivenFile, Opened, Outcome, Progress } from "../engine/messages.ts";
import { eventsTable } from "./events-table.ts";
import { fileList } from "./file-list.ts";
import { takeFiles } from "./inputs.ts";
import { KeysPanel } from "./keys-panel.ts";
import { byId, mount } from "./mount.ts";
import { SaltField } from "./salt-field.ts";
import { reportName, saveText } from "./save.ts";

/** A page that is running. */
export class App {
  readonly #engine: EngineClient;
  readonly #keys: KeysPanel;
  readonly #salt: SaltField;
  #files: readonly GivenFile[] = [];
  #outcomes: readonly Outcome[] = [];
  /** Counts the checks, so that what an earlier one answers late is dropped. */
  #run = 0;

  constructor(script: string) {
    this.#engine = new EngineClient(script, (progress) => this.#tell(progress));
    this.#keys = new KeysPanel(() => this.#check());
    this.#salt = new SaltField(() => this.#check());
    takeFiles((files) => {
      this.#files = [...this.#files, ...files];
      this.#check();
    });
    byId("cancel").addEventListener("click", () => this.#cancel());
    byId("clear").addEventListener("click", () => this.#clear());
    this.#start();
  }

  /** Says which kernel computes, and where, if it is not as it should be. */
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
              "Workers are not allowed here, so the page computes by itself: with a large file it may not answer for seconds at a time, Cancel neither.",
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
    const run = ++this.#run;
    this.#busy(true);
    try {
      // What runs for other files or other keys is no longer wanted.
      if (document.documentElement.dataset.state === "busy") await this.#engine.cancel();
      document.documentElement.dataset.state = "busy";
      const { pinned, fromLink } = this.#keys;
      const outcomes = await this.#engine.call("check", this.#files, { pinned, fromLink }, this.#salt.salt);
      if (run !== this.#run) return;
      this.#outcomes = outcomes;
      const first = outcomes.findIndex(({ role }) => role === "evidence");
      if (first >= 0) await this.#show(first);
      else this.#drawFiles(null);
      if (run === this.#run) this.#done(outcomes);
    } catch (error) {
      if (run === this.#run) this.#fail(error);
    }
  }

  async #show(index: number): Promise<void> {
    const run = this.#run;
    const opened = await this.#engine.call("open", index);
    if (run !== this.#run) return;
    this.#drawFiles(index);
    this.#draw(opened, this.#files[index]?.name ?? "");
  }

  #drawFiles(shown: number | null): void {
    const isWorth = this.#outcomes.length > 1 || this.#outcomes.some(({ role }) => role !== "evidence");
    const open = (index: number) => this.#show(index).catch((error: unknown) => this.#fail(error));
    this.#salt.show(this.#outcomes.some((outcome) => outcome.role === "payload" && outcome.lacksSalt));
    byId("files-place").replaceChildren(...(isWorth ? [fileList(this.#outcomes, shown, open)] : []));
    if (shown === null) byId("result").replaceChildren();
  }

  #draw({ report, sections, events, eventTypes }: Opened, name: string): void {
    const nodes = [
      ...sections.above.map((part) => mount(part)),
      ...(events > 0 ? [eventsTable(this.#engine, events, eventTypes, report.problems.length > 0)] : []),
      ...sections.below.map((part) => mount(part)),
      this.#saving(name),
    ];
    byId("result").replaceChildren(...nodes);
    // The answer first: it is in view, and it is what a screen reader goes on with.
    const sentence = byId("verdict-sentence");
    sentence.focus({ preventScroll: true });
    sentence.closest(".verdict")?.scrollIntoView();
    document.title = `${VERDICTS[report.verdict].word} · ${shorten(escapeText(name))}`;
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
      ),
    ) as HTMLElement;
    const [page, json, print] = bar.querySelectorAll("button");
    page?.addEventListener("click", () => this.#save("html", name));
    json?.addEventListener("click", () => this.#save("json", name));
    print?.addEventListener("click", () => window.print());
    return bar;
  }

  async #save(form: "json" | "html", name: string): Promise<void> {
    try {
      const text = await this.#engine.call("saved", form);
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
    byId("clear").hidden = isBusy || this.#files.length === 0;
    if (!isBusy) byId("phase").textContent = "";
  }

  #done(outcomes: readonly Outcome[]): void {
    this.#busy(false);
    const verdicts = outcomes.flatMap((outcome) =>
      outcome.role === "evidence" ? [VERDICTS[outcome.verdict].word] : [],
    );
    const [only] = verdicts;
    byId("said").textContent =
      verdicts.length === 1
        ? `Checked: ${only}.`
        : `Checked ${grouped(verdicts.length)} files: ${verdicts.join(", ")}.`;
    document.documentElement.dataset.state = "done";
  }

  async #cancel(): Promise<void> {
    this.#run++;
    await this.#engine.cancel();
    this.#forget();
    byId("said").textContent = "Cancelled. Nothing was decided.";
    document.documentElement.dataset.state = "cancelled";
  }

  async #clear(): Promise<void> {
    this.#run++;
    await this.#engine.cancel();
    this.#forget();
    byId("said").textContent = "";
    document.documentElement.dataset.state = "ready";
  }

  #forget(): void {
    this.#files = [];
    this.#outcomes = [];
    this.#salt.clear();
    byId("files-place").replaceChildren();
    byId("result").replaceChildren();
    this.#busy(false);
  }

  /** There is no verdict, and the page says so: a failure must not look like the verdict of another file. */
  #fail(error: unknown): void {
    if (error instanceof Cancelled) return;
    this.#busy(false);
    byId("files-place").replaceChildren();
    const reason = escapeText(error instanceof Error ? error.message : String(error));
    byId("result").replaceChildren(
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
    );
    document.documentElement.dataset.state = "failed";
  }
}
