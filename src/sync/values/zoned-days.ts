/**
 * Times without a zone in a stated zone (contract: values in loads).
 *
 * PostgreSQL moves a time that summer time skips, and chooses one of two instants when a clock is set back. Both are refused.
 */
import { OperatorError } from '../../errors.ts';

const dayMs = 86_400_000;

export class ZonedDays {
  readonly zone: string;
  readonly #format: Intl.DateTimeFormat;
  readonly #isRegular = new Map<string, boolean>();

  /** Throws an `OperatorError` for an unknown zone. */
  constructor(zone: string) {
    try {
      this.#format = new Intl.DateTimeFormat('en', {
        timeZone: zone,
        hourCycle: 'h23',
        year: 'numeric',
        month: '2-digit',
        day: '2-digit',
        hour: '2-digit',
        minute: '2-digit',
        second: '2-digit',
      });
    } catch {
      throw new OperatorError(`There is no time zone '${zone}'. Zones have names such as Europe/Berlin or UTC.`);
    }
    this.zone = zone;
  }

  /** The error of a time on a day, or undefined. */
  check(day: string, text: string): string | undefined {
    if (this.#hasOneOffset(day)) return undefined;
    const local = Date.parse(`${day}T${text.slice(11, 16) || '00:00'}:00Z`);
    const offsets = new Set([this.#offset(local - dayMs), this.#offset(local + dayMs)]);
    const instants = [...offsets].filter((offset) => this.#offset(local - offset) === offset).length;
    if (instants === 1) return undefined;
    return instants === 0 ? `does not exist in ${this.zone}: the clock skips it` : `occurs twice in ${this.zone}: add Z or an offset`;
  }

  /** Whether the offset is the same from the day before to the day after. */
  #hasOneOffset(day: string): boolean {
    let known = this.#isRegular.get(day);
    if (known === undefined) {
      const noon = Date.parse(`${day}T12:00:00Z`);
      known = this.#offset(noon - 2 * dayMs) === this.#offset(noon + 2 * dayMs);
      this.#isRegular.set(day, known);
    }
    return known;
  }

  /** Milliseconds ahead of UTC at an instant. */
  #offset(instant: number): number {
    const part = Object.fromEntries(this.#format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
    return (
      Date.UTC(part.year ?? 0, (part.month ?? 1) - 1, part.day, part.hour, part.minute, part.second) - Math.floor(instant / 1000) * 1000
    );
  }
}
