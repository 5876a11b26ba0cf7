/** The result of a check, with a recommended action. */
export interface DoctorFinding {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'fault';
  readonly found: string;
  readonly advice?: string;
}

export const ok = (check: string, found: string): DoctorFinding => ({ check, state: 'ok', found });
export const warning = (check: string, found: string, advice: string): DoctorFinding => ({ check, state: 'warning', found, advice });
export const failed = (check: string, found: string, advice: string): DoctorFinding => ({ check, state: 'fault', found, advice });
