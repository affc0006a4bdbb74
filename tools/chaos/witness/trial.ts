/** A witness that is killed while its log signs two histories: one root for each size, whatever was cut off. */
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openNote, parseVerificationKey, selectKernel } from "@svc/core";
import { bodyOf, TestLog } from "@svc/testkit/evidence/log";
import type { Lifetime } from "@svc/testkit/lifetime";
import { command, environmentOf, startWitness, type WitnessProcess } from "@svc/testkit/svc-witness";
import type { Seeded } from "../seeded.ts";
import { must } from "../violation.ts";

/** A step from the check to the answer; the two of the commit are those of packages/host. Null: at any moment. */
export interface Step {
  readonly failpoint: string;
  /** Whether the checkpoint is on the disk by then. */
  readonly isStored: boolean;
}

export const STEPS: readonly (Step | null)[] = [
  { failpoint: "witness: signed", isStored: false },
  { failpoint: "commit: due", isStored: false },
  { failpoint: "commit: done", isStored: true },
  { failpoint: "witness: stored", isStored: true },
  { failpoint: "witness: marked", isStored: true },
  null,
];
/** A moment that is between two requests' arrival and their answers more often than not. */
const MOMENT_MS = 12;

/** The processes of a trial, which end with it. */
export class Processes implements Lifetime {
  readonly #ends: (() => unknown)[] = [];

  after(work: unknown): void {
    this.#ends.push(work as () => unknown);
  }

  /** Kills those that still run. */
  end(): void {
    for (const end of this.#ends.splice(0)) end();
  }
}

/** A trial on one witness and one log. */
export class Killing {
  readonly #processes: Processes;
  readonly #chance: Seeded;
  readonly #environment: Record<string, string>;
  readonly #kernel = selectKernel();
  readonly #rootsOf = new Map<number, string>();
  #log: TestLog;
  #cosignatures = 0;

  private constructor(processes: Processes, chance: Seeded, environment: Record<string, string>, log: TestLog) {
    this.#processes = processes;
    this.#chance = chance;
    this.#environment = environment;
    this.#log = log;
  }

  /** Makes the witness in a folder, and has it cosign a first checkpoint. */
  static async make(processes: Processes, chance: Seeded, folder: string): Promise<Killing> {
    const environment = { ...environmentOf(join(folder, "witness")), SVC_WITNESS_ORIGIN_RATE: "0" };
    const log = new TestLog("log.example/killed").growTo(1);
    for (const words of [
      ["init", "--name", "witness.example/killed"],
      ["origins", "add", "--vkey", log.vkey],
    ]) {
      const { code, err } = await command(words, environment);
      must(code === 0, `${words[0]} ended with ${code}: ${err}`);
    }
    const trial = new Killing(processes, chance, environment, log);
    const witness = await trial.#start();
    must((await trial.#ask(witness, log, 0)) === 200, "the first checkpoint is not cosigned");
    await witness.end("SIGKILL");
    return trial;
  }

  get counts() {
    return { sizes: this.#rootsOf.size, cosignatures: this.#cosignatures };
  }

  /** Kills the witness once, and asks it afterwards for both histories. */
  async round(step: Step | null): Promise<void> {
    const { size } = this.#log;
    const victim = this.#log.copy().growTo(size + 1, "victim");
    const rival = this.#log.copy().growTo(size + 1, "rival");
    if (step === null) await this.#killAtAnyMoment(victim, rival);
    else await this.#killAt(step, victim);
    const next = await this.#start();
    // The other history comes first after the restart.
    const rivalAnswer = await this.#ask(next, rival, size);
    must(rivalAnswer === 200 || rivalAnswer === 409, `the rival gets ${rivalAnswer}`);
    const victimAnswer = await this.#ask(next, victim, size);
    must(victimAnswer === 409, `the victim gets ${victimAnswer}, after one of that size is recorded`);
    const [ofVictim, ofRival] = [await this.#ask(next, victim, size + 1), await this.#ask(next, rival, size + 1)];
    must(
      (ofVictim === 200 && ofRival === 422) || (ofVictim === 422 && ofRival === 200),
      `the recorded size gets ${ofVictim} for one root and ${ofRival} for the other`,
    );
    if (step !== null) must((ofVictim === 200) === step.isStored, `${step.failpoint}: the other one is recorded`);
    await next.end(this.#chance.pick(["SIGTERM", "SIGKILL"] as const));
    this.#processes.end();
    this.#log = ofVictim === 200 ? victim : rival;
  }

  async #killAt({ failpoint }: Step, victim: TestLog): Promise<void> {
    const dying = await this.#start(failpoint);
    const answer = await this.#ask(dying, victim, victim.size - 1);
    must(answer === null, `${failpoint}: the answer is ${answer}`);
    must((await dying.ended) === null, `${failpoint}: no signal ended it`);
  }

  /** An answer may have left before: then its root is in the list, and must be the recorded one. */
  async #killAtAnyMoment(victim: TestLog, rival: TestLog): Promise<void> {
    const dying = await this.#start();
    const answers = [victim, rival].map((log) => this.#ask(dying, log, log.size - 1));
    await pause(this.#chance.number() * MOMENT_MS);
    await dying.end("SIGKILL");
    await Promise.all(answers);
  }

  #start(killAt: string | null = null): Promise<WitnessProcess> {
    return startWitness(this.#processes, this.#environment, killAt);
  }

  /** Sends a checkpoint, and notes its root if the answer is a cosignature of it. Resolves to the status, if any. */
  async #ask({ url, vkey }: WitnessProcess, log: TestLog, old: number): Promise<number | null> {
    const note = await log.note();
    const body = bodyOf(old, log.proof(old), note);
    const answer = await fetch(`${url}/add-checkpoint`, { method: "POST", body })
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch(() => null);
    if (answer?.status !== 200) return answer?.status ?? null;
    const key = parseVerificationKey(this.#kernel, vkey);
    must(key.ok && openNote(this.#kernel, `${note}${answer.text}`, [key.key]).ok, "a cosignature does not verify");
    const root = Buffer.from(log.root()).toString("hex");
    must((this.#rootsOf.get(log.size) ?? root) === root, `two roots of size ${log.size} are cosigned`);
    this.#rootsOf.set(log.size, root);
    this.#cosignatures += 1;
    return 200;
  }
}
