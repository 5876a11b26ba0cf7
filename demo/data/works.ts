/** Technical equipment of a building, its maintenance, defects and renovations. */
import type { Trade } from './names.ts';

/** A kind of technical object. */
export interface Model {
  readonly type: string;
  readonly name: string;
  readonly trade: Trade;
  readonly costGroup: '300' | '400' | '500';
  readonly location: string;
  readonly maintenanceMonths: number | null;
  readonly inspectionMonths: number | null;
  readonly lifeYears: number;
  /** Replacement cost in euros. */
  readonly cost: number;
  /** Belongs to the heating system of its building. */
  readonly isPartOfHeating?: boolean;
}

const model = (
  type: string,
  name: string,
  trade: Trade,
  costGroup: Model['costGroup'],
  location: string,
  [maintenanceMonths, inspectionMonths, lifeYears, cost]: readonly [number | null, number | null, number, number],
): Model => ({ type, name, trade, costGroup, location, maintenanceMonths, inspectionMonths, lifeYears, cost });

/** Equipment of every building, up to the property's number of technical objects. */
export const buildingModels: readonly Model[] = [
  model('heating_system', 'Gas-Brennwertkessel 120 kW', 'plumbing_heating', '400', 'Keller, Heizraum', [12, null, 20, 52000]),
  {
    ...model('drainage_pump', 'Umwälzpumpe Heizkreis', 'plumbing_heating', '400', 'Keller, Heizraum', [12, null, 12, 2800]),
    isPartOfHeating: true,
  },
  model('elevator', 'Personenaufzug 630 kg', 'elevator', '400', 'Treppenhaus', [3, 24, 25, 95000]),
  model('roof', 'Steildach mit Ziegeldeckung', 'roofing', '300', 'Dach', [null, 60, 50, 140000]),
  model('door_system', 'Türsprechanlage', 'electrical', '400', 'Hauseingang', [null, null, 15, 6500]),
  model('hot_water_system', 'Warmwasserspeicher 500 l', 'plumbing_heating', '400', 'Keller, Heizraum', [12, 36, 18, 8500]),
  model('smoke_extraction', 'RWA-Anlage Treppenhaus', 'fire_protection', '400', 'Treppenhaus', [12, 36, 20, 9800]),
  model('fire_extinguisher', 'Feuerlöscher 6 kg', 'fire_protection', '400', 'Kellergang', [24, null, 20, 120]),
  model('ventilation', 'Lüftungsanlage Tiefgarage', 'plumbing_heating', '400', 'Tiefgarage', [12, null, 18, 24000]),
  model('pv_system', 'Photovoltaikanlage 29 kWp', 'electrical', '400', 'Dach', [12, 48, 22, 38000]),
  model('playground', 'Spielplatz', 'landscaping', '500', 'Innenhof', [1, 12, 15, 18000]),
  model('garage_door', 'Garagentor', 'windows_doors', '400', 'Tiefgarage', [12, 12, 18, 7200]),
];
export const smokeDetector = model('smoke_detector', 'Rauchwarnmelder', 'fire_protection', '400', 'Flur', [12, null, 10, 45]);

/** Assets in the register of a property. */
export interface AssetKind {
  readonly name: string;
  readonly class: string;
  readonly account: string;
  /** Useful life under commercial and tax law; null if not depreciated. */
  readonly years: readonly [commercial: number, tax: number] | null;
  readonly method: 'linear' | 'immediate' | 'none';
  /** Per mille of the value of the property. */
  readonly weight: number;
  /** The technical object of the asset. */
  readonly equipment: string | null;
  /** Located in a unit. */
  readonly isInUnit: boolean;
}

const kind = (
  name: string,
  assetClass: string,
  account: string,
  years: AssetKind['years'],
  weight: number,
  equipment: string | null = null,
): AssetKind => {
  const method = years === null ? 'none' : years[0] === 1 ? 'immediate' : 'linear';
  return { name, class: assetClass, account, years, method, weight, equipment, isInUnit: name === 'Einbauküche' };
};

/** In the order in which a growing register adds them. */
export const assetKinds: readonly AssetKind[] = [
  kind('Grundstück', 'land', '001100', null, 220),
  kind('Gebäude', 'building', '002100', [80, 50], 600),
  kind('Heizungsanlage', 'technical_plant', '040100', [20, 15], 14, 'heating_system'),
  kind('Dacherneuerung', 'building', '002100', [40, 50], 40, 'roof'),
  kind('Aufzugsanlage', 'technical_plant', '040100', [25, 15], 22, 'elevator'),
  kind('Außenanlagen', 'outdoor_facility', '003100', [15, 19], 12),
  kind('Türsprechanlage', 'building_equipment', '040100', [15, 11], 3, 'door_system'),
  kind('Einbauküche', 'fixtures', '050100', [10, 13], 1),
  kind('Werkzeugsatz', 'fixtures', '050100', [1, 1], 1),
  kind('Anlage im Bau', 'under_construction', '060100', null, 18),
  kind('Fassadendämmung', 'building', '002100', [40, 50], 45),
  kind('Fenster', 'building', '002100', [30, 50], 30),
  kind('Lüftungsanlage', 'technical_plant', '040100', [18, 14], 9, 'ventilation'),
  kind('Photovoltaikanlage', 'technical_plant', '040100', [20, 20], 8, 'pv_system'),
  kind('Objektsoftware', 'intangible', '010100', [5, 3], 1),
  kind('Spielplatz', 'outdoor_facility', '003100', [15, 10], 4, 'playground'),
  kind('Balkonanbau', 'building', '002100', [40, 50], 25),
  kind('Steigleitungen', 'building', '002100', [35, 50], 20),
  kind('Warmwasserbereitung', 'technical_plant', '040100', [18, 15], 3, 'hot_water_system'),
  kind('Garagentor', 'building_equipment', '040100', [18, 14], 2, 'garage_door'),
];

/** A service under contract. */
export interface Template {
  readonly type: string;
  readonly service: string;
  readonly trade: Trade;
  readonly description: string;
  readonly costAccount: string;
  /** Range of the annual net amount in euros. */
  readonly annual: readonly [number, number];
  readonly intervalMonths: number | null;
}

const template = (
  type: string,
  service: string,
  trade: Trade,
  description: string,
  costAccount: string,
  annual: readonly [number, number],
  intervalMonths: number | null,
): Template => ({ type, service, trade, description, costAccount, annual, intervalMonths });

/** A property has the first entries of this list, as many as its scale defines. */
export const templates: readonly Template[] = [
  template('maintenance', 'heating_maintenance', 'plumbing_heating', 'Wartung Heizungsanlage', '806100', [600, 2400], 12),
  template('cleaning', 'cleaning', 'cleaning', 'Treppenhausreinigung', '802300', [2400, 9600], 1),
  template('full_service', 'elevator_maintenance', 'elevator', 'Vollwartung Aufzug', '802100', [1800, 4800], 3),
  template('energy_supply', 'repair', 'other', 'Gaslieferung Zentralheizung', '801100', [9000, 60000], null),
  template('caretaker', 'caretaker', 'cleaning', 'Hausmeisterdienst', '803200', [6000, 18000], 1),
  template('insurance', 'insurance', 'other', 'Wohngebäudeversicherung', '803100', [3000, 15000], null),
  template('waste', 'waste', 'other', 'Abfallentsorgung', '802200', [2500, 12000], 1),
  template('metering', 'metering', 'other', 'Messdienst Heizung und Wasser', '801100', [900, 4500], 12),
  template('inspection', 'security', 'fire_protection', 'Prüfung Brandschutzanlagen', '806100', [400, 1600], 12),
  template('other', 'gardening', 'landscaping', 'Pflege der Außenanlagen', '802400', [1200, 6000], 1),
];

/** The subject of a notification or an order. */
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

const repair = (trade: Trade, subject: string, description: string, price: readonly [number, number], more: Partial<Topic> = {}): Topic => {
  const usual = { reportType: 'damage', orderType: 'repair', equipment: null, isWinter: false, costAccount: '805100' };
  return { ...usual, trade, subject, description, price, ...more };
};

const insured = { reportType: 'insurance_claim', orderType: 'insurance_damage', costAccount: '805400' } as const;
const winter = { isWinter: true, equipment: 'heating_system' } as const;

/** Reports of tenants and caretakers. Heating is frequent, and occurs in winter. */
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

/** Regular work by calendar or service contract, without a report. */
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

/** Work in a unit between two tenants. */
export const refurbishmentTopics: readonly Topic[] = [
  repair('painting', 'Leerwohnung: Malerarbeiten', 'Wände und Decken streichen', [1200, 5200], refurbishment),
  repair('flooring', 'Leerwohnung: Bodenbeläge', 'Laminat verlegen', [1500, 6400], refurbishment),
  repair('plumbing_heating', 'Leerwohnung: Badsanierung', 'Sanitärobjekte und Fliesen erneuern', [4500, 14500], refurbishment),
  repair('electrical', 'Leerwohnung: Elektroinstallation', 'Unterverteilung erneuern', [1800, 7200], refurbishment),
];

const construction = { orderType: 'modernisation', costAccount: '805200', reportType: 'maintenance' } as const;

/** Work of a project. Its cost comes from the project's budget. */
export const projectTopics: readonly Topic[] = [
  repair('planning', 'Planung und Bauleitung', 'Leistungsphasen 5 bis 8', [2000, 9000], construction),
  repair('facade', 'Gerüst und Fassade', 'Wärmedämmverbundsystem', [9000, 90000], construction),
  repair('plumbing_heating', 'Heizungsumbau', 'Austausch der Wärmeerzeugung', [9000, 70000], construction),
  repair('windows_doors', 'Fenstertausch', 'Dreifachverglasung', [7000, 60000], construction),
  repair('roofing', 'Dacherneuerung', 'Neueindeckung und Dämmung', [9000, 80000], construction),
  repair('electrical', 'Steigleitungen', 'Erneuerung der Steigleitungen', [5000, 40000], construction),
];

/** A kind of project: its cost levels of DIN 276, and its subsidies. */
export interface Program {
  readonly name: string;
  readonly type: string;
  readonly levels: readonly [group: string, part: string, detail: string];
  readonly isCapex: boolean;
  readonly equipment: string | null;
  readonly funding: string | null;
}

const services = '400 Bauwerk - Technische Anlagen';
const structure = '300 Bauwerk - Baukonstruktionen';
const grounds = '500 Außenanlagen und Freiflächen';

const program = (name: string, type: string, levels: Program['levels'], more: Partial<Program> = {}): Program => ({
  name,
  type,
  levels,
  isCapex: type !== 'maintenance',
  equipment: null,
  funding: null,
  ...more,
});

export const programs: readonly Program[] = [
  program('Energetische Sanierung', 'energy_refurbishment', [services, '420 Wärmeversorgungsanlagen', '421 Wärmeerzeugungsanlagen'], {
    equipment: 'heating_system',
    funding: 'KfW 261',
  }),
  program('Dacherneuerung', 'maintenance', [structure, '360 Dächer', '363 Dachbeläge'], { equipment: 'roof' }),
  program('Fassade', 'modernisation', [structure, '330 Außenwände', '335 Außenwandbekleidungen'], { funding: 'BEG Einzelmaßnahmen' }),
  program('Aufzugmodernisierung', 'modernisation', [services, '460 Förderanlagen', '461 Aufzugsanlagen'], { equipment: 'elevator' }),
  program('Mieterausbau', 'tenant_fit_out', [structure, '340 Innenwände', '345 Innenwandbekleidungen']),
  program('Außenanlagen', 'maintenance', [grounds, '530 Oberbau', '532 Straßen']),
];
