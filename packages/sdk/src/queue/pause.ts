/** A pause that can be ended before its time. */
export class Pause {
  /** When it ends by itself, in the clock that it was begun by. */
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
