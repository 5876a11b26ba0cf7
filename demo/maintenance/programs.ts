/** Kinds of projects: the cost levels of DIN 276 that they work on, and who helps to pay. */
export interface Program {
  readonly name: string;
  readonly type: string;
  readonly costGroup: '300' | '400' | '500';
  readonly levels: readonly [group: string, part: string, detail: string];
  readonly isCapex: boolean;
  readonly equipment: string | null;
  readonly funding: string | null;
}

const services = '400 Bauwerk - Technische Anlagen';
const structure = '300 Bauwerk - Baukonstruktionen';

export const programs: readonly Program[] = [
  {
    name: 'Energetische Sanierung',
    type: 'energy_refurbishment',
    costGroup: '400',
    levels: [services, '420 Wärmeversorgungsanlagen', '421 Wärmeerzeugungsanlagen'],
    isCapex: true,
    equipment: 'heating_system',
    funding: 'KfW 261',
  },
  {
    name: 'Dacherneuerung',
    type: 'maintenance',
    costGroup: '300',
    levels: [structure, '360 Dächer', '363 Dachbeläge'],
    isCapex: false,
    equipment: 'roof',
    funding: null,
  },
  {
    name: 'Fassade',
    type: 'modernisation',
    costGroup: '300',
    levels: [structure, '330 Außenwände', '335 Außenwandbekleidungen'],
    isCapex: true,
    equipment: null,
    funding: 'BEG Einzelmaßnahmen',
  },
  {
    name: 'Aufzugmodernisierung',
    type: 'modernisation',
    costGroup: '400',
    levels: [services, '460 Förderanlagen', '461 Aufzugsanlagen'],
    isCapex: true,
    equipment: 'elevator',
    funding: null,
  },
  {
    name: 'Mieterausbau',
    type: 'tenant_fit_out',
    costGroup: '300',
    levels: [structure, '340 Innenwände', '345 Innenwandbekleidungen'],
    isCapex: true,
    equipment: null,
    funding: null,
  },
  {
    name: 'Außenanlagen',
    type: 'maintenance',
    costGroup: '500',
    levels: ['500 Außenanlagen und Freiflächen', '530 Oberbau', '532 Straßen'],
    isCapex: false,
    equipment: null,
    funding: null,
  },
];
