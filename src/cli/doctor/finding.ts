/** The result of a check, with a recommended action. */
export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'fault';
  readonly found: string;
  readonly advice?: string;
}

export const ok = (check: string, found: string): Finding => ({ check, state: 'ok', found });
export const warning = (check: string, found: string, advice: string): Finding => ({ check, state: 'warning', found, advice });
export const failed = (check: string, found: string, advice: string): Finding => ({ check, state: 'fault', found, advice });
