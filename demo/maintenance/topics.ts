/** What breaks, is serviced or is refurbished: texts, trade, price and season of the work. */
import type { Trade } from '../company/creditors.ts';

export interface Topic {
  readonly trade: Trade;
  readonly subject: string;
  readonly description: string;
  readonly reportType: string;
  readonly orderType: string;
  /** Kind of technical object concerned, if any. */
  readonly equipment: string | null;
  readonly isWinter: boolean;
  /** Net price range in euros. */
  readonly price: readonly [number, number];
  readonly costAccount: string;
}

const repair = (
  trade: Trade,
  subject: string,
  description: string,
  price: readonly [number, number],
  more: Partial<Topic> = {},
): Topic => ({
  trade,
  subject,
  description,
  reportType: 'damage',
  orderType: 'repair',
  equipment: null,
  isWinter: false,
  price,
  costAccount: '805100',
  ...more,
});

const insured = { reportType: 'insurance_claim', orderType: 'insurance_damage', costAccount: '805400' } as const;
const winter = { isWinter: true, equipment: 'heating_system' } as const;

/** What tenants and caretakers report. Heating comes up often, and in winter. */
export const reportedTopics: readonly Topic[] = [
  repair('plumbing_heating', 'Heizungsausfall', 'Heizung im ganzen Strang kalt, Umwälzpumpe prüfen', [180, 1900], winter),
  repair('plumbing_heating', 'Heizkörper wird nicht warm', 'Ventil gängig machen und entlüften', [90, 420], winter),
  repair('plumbing_heating', 'Kein Warmwasser', 'Störung am Speicher beheben', [140, 1100], { ...winter, equipment: 'hot_water_system' }),
  repair('plumbing_heating', 'Heizung verliert Druck', 'Leck suchen, Ausdehnungsgefäß prüfen', [160, 900], winter),
  repair('plumbing_heating', 'Rohrverstopfung', 'Grundleitung spülen', [150, 780]),
  repair('plumbing_heating', 'Tropfender Wasserhahn', 'Armatur instand setzen oder erneuern', [70, 260]),
  repair('plumbing_heating', 'WC-Spülung läuft nach', 'Spülkasten instand setzen', [80, 240]),
  repair('electrical', 'Beleuchtung Treppenhaus defekt', 'Leuchtmittel und Treppenlichtautomat prüfen', [80, 460]),
  repair('electrical', 'Sicherung fällt heraus', 'Fehlersuche in der Wohnungsverteilung', [110, 650]),
  repair('electrical', 'Gegensprechanlage ohne Funktion', 'Sprechstelle prüfen', [120, 900], {
    equipment: 'door_system',
    reportType: 'defect',
  }),
  repair('elevator', 'Aufzug steht', 'Störung beseitigen', [220, 2600], { equipment: 'elevator' }),
  repair('roofing', 'Undichte Stelle am Dach', 'Ziegel ersetzen, Anschluss abdichten', [280, 3400], { equipment: 'roof' }),
  repair('windows_doors', 'Fenster schließt nicht', 'Beschlag einstellen, Dichtung ersetzen', [90, 680]),
  repair('locksmith', 'Haustürschloss defekt', 'Schließzylinder ersetzen', [110, 420]),
  repair('painting', 'Schimmel im Schlafzimmer', 'Ursache klären, Fläche behandeln', [260, 1900], { reportType: 'defect', isWinter: true }),
  repair('carpentry', 'Wohnungstür verzogen', 'Tür richten', [140, 780]),
  repair('drying', 'Wasserschaden durch Rohrbruch', 'Trocknung und Leckortung', [900, 6800], insured),
  repair('roofing', 'Sturmschaden', 'Notabdichtung und Reparatur', [600, 5200], { ...insured, isWinter: true }),
  repair('cleaning', 'Sperrmüll im Hof', 'Entsorgung beauftragen', [90, 420], { reportType: 'complaint', orderType: 'service' }),
  repair('landscaping', 'Gehweg nicht geräumt', 'Winterdienst nachholen', [60, 280], {
    reportType: 'complaint',
    orderType: 'service',
    isWinter: true,
  }),
  repair('fire_protection', 'Rauchwarnmelder piept', 'Melder tauschen', [45, 140], { equipment: 'smoke_detector', reportType: 'defect' }),
  repair('masonry', 'Risse im Putz', 'Begutachtung und Ausbesserung', [240, 2200], { reportType: 'warranty_defect' }),
];

const service = { reportType: 'maintenance', orderType: 'maintenance', costAccount: '806100' } as const;

/** What the calendar or a service contract brings, without anyone reporting it. */
export const scheduledTopics: readonly Topic[] = [
  repair('plumbing_heating', 'Jahreswartung Heizung', 'Wartung laut Servicevertrag', [190, 650], {
    ...service,
    equipment: 'heating_system',
  }),
  repair('elevator', 'Hauptprüfung Aufzug', 'Begleitung der Prüfung', [240, 900], {
    ...service,
    orderType: 'inspection',
    equipment: 'elevator',
  }),
  repair('fire_protection', 'Prüfung Rauchwarnmelder', 'Jahresprüfung', [120, 900], {
    ...service,
    orderType: 'inspection',
    equipment: 'smoke_detector',
  }),
  repair('cleaning', 'Sonderreinigung Treppenhaus', 'Abruf aus Rahmenvertrag', [140, 700], { orderType: 'framework_call' }),
  repair('landscaping', 'Gehölzschnitt', 'Rückschnitt der Hecken', [260, 1900], { orderType: 'service', reportType: 'maintenance' }),
  repair('roofing', 'Dachrinnenreinigung', 'Rinnen und Fallrohre reinigen', [180, 950], service),
  repair('electrical', 'E-Check', 'Prüfung der Allgemeinstromanlage', [220, 1200], { ...service, orderType: 'inspection' }),
  repair('painting', 'Anstrich Treppenhaus', 'Ausbesserung nach Bedarf', [480, 4200], { orderType: 'framework_call' }),
];

const refurbishment = { orderType: 'vacancy_refurbishment', costAccount: '805300', reportType: 'maintenance' } as const;

/** What a unit gets between two tenants. */
export const refurbishmentTopics: readonly Topic[] = [
  repair('painting', 'Leerwohnung: Malerarbeiten', 'Wände und Decken streichen', [1200, 5200], refurbishment),
  repair('flooring', 'Leerwohnung: Bodenbeläge', 'Laminat verlegen', [1500, 6400], refurbishment),
  repair('plumbing_heating', 'Leerwohnung: Badsanierung', 'Sanitärobjekte und Fliesen erneuern', [4500, 14500], refurbishment),
  repair('electrical', 'Leerwohnung: Elektroinstallation', 'Unterverteilung erneuern', [1800, 7200], refurbishment),
];

const construction = { orderType: 'modernisation', costAccount: '805200', reportType: 'maintenance' } as const;

/** Works of a project; what they cost comes from its budget. */
export const projectTopics: readonly Topic[] = [
  repair('planning', 'Planung und Bauleitung', 'Leistungsphasen 5 bis 8', [2000, 9000], construction),
  repair('facade', 'Gerüst und Fassade', 'Wärmedämmverbundsystem', [9000, 90000], construction),
  repair('plumbing_heating', 'Heizungsumbau', 'Austausch der Wärmeerzeugung', [9000, 70000], construction),
  repair('windows_doors', 'Fenstertausch', 'Dreifachverglasung', [7000, 60000], construction),
  repair('roofing', 'Dacherneuerung', 'Neueindeckung und Dämmung', [9000, 80000], construction),
  repair('electrical', 'Steigleitungen', 'Erneuerung der Steigleitungen', [5000, 40000], construction),
];
