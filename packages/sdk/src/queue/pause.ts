/** A pause that can be ended early. */
export class Pause {
  /** When it ends by itself, by the clock that it was begun with. */
  readonly endsAt: number;
  readonly ended: Promise<void>;
  readonly end: () => void;

  constructor(milliseconds: number, now: number) {
    this.endsAt = now + milliseconds;
    let end = () => {};
    this.ended = new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      end = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.end = end;
  }
}
