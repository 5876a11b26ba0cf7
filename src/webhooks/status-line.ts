/** Finds the status of an answer in the bytes of its connection (RFC 9112, section 4; RFC 9110, section 15.2). */

/** The maximum bytes before the status, which are informational responses. */
export const maxHead = 16 * 1024;

/** 101 ends HTTP on the connection. The other informational responses precede the answer. */
const switchingProtocols = 101;

export class StatusLine {
  /** What was read and not yet understood. */
  #text = '';
  #bytes = 0;
  #isInformational = false;

  /** The status as soon as it is there; `tooLong` if too many bytes precede it; otherwise undefined. */
  read(chunk: Buffer): number | 'tooLong' | undefined {
    this.#text += chunk.toString('latin1', 0, maxHead);
    this.#bytes += chunk.length;
    while (this.#skipInformational()) {
      const status = Number(/^HTTP\/1\.\d (\d{3})[ \r\n]/.exec(this.#text)?.[1] ?? Number.NaN);
      if (Number.isNaN(status)) break;
      if (status < 100 || status >= 200 || status === switchingProtocols) return status;
      this.#isInformational = true;
    }
    return this.#bytes > maxHead ? 'tooLong' : undefined;
  }

  /** Removes an informational response. False while its end is missing. */
  #skipInformational(): boolean {
    if (!this.#isInformational) return true;
    const blank = '\r\n\r\n';
    const end = this.#text.indexOf(blank);
    this.#isInformational = end < 0;
    this.#text = this.#text.slice(end < 0 ? 1 - blank.length : end + blank.length);
    return end >= 0;
  }
}
