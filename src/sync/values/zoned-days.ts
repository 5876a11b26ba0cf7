/**
 * Times without a zone in a stated zone (contract: values in loads).
 *
 * PostgreSQL moves a time that summer time skips, and chooses one of two instants when a clock is set back. Both are refused.
 */
import { OperatorError } from '../../errors.ts';

const dayMs = 86_400_000;
const minuteMs = 60_000;

export class ZonedDays {
  readonly zone: string;
  readonly #format: Intl.DateTimeFormat;
  /** The offset of days that have one only, in minutes. */
  readonly #regular = new Map<string, number | undefined>();

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

  /** How many minutes a time on a day is ahead of UTC, or its error. `time`: hours and minutes. */
  minutesAhead(day: string, time = '00:00'): number | string {
    const regular = this.#offsetOfDay(day);
    if (regular !== undefined) return regular;
    const local = Date.parse(`${day}T${time}:00Z`);
    const offsets = new Set([this.#offset(local - dayMs), this.#offset(local + dayMs)]);
    const [offset, other] = [...offsets].filter((one) => this.#offset(local - one) === one);
    if (offset === undefined) return `does not exist in ${this.zone}: the clock skips it`;
    return other === undefined ? offset / minuteMs : `occurs twice in ${this.zone}: add Z or an offset`;
  }

  /** The offset in minutes, if it is the same from the day before to the day after. */
  #offsetOfDay(day: string): number | undefined {
    if (this.#regular.has(day)) return this.#regular.get(day);
    const noon = Date.parse(`${day}T12:00:00Z`);
    const before = this.#offset(noon - 2 * dayMs);
    const known = before === this.#offset(noon + 2 * dayMs) ? before / minuteMs : undefined;
    this.#regular.set(day, known);
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
