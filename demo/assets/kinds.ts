/** What a property has in its asset register, in the order in which a growing register takes it up. */
export interface AssetKind {
  readonly name: string;
  readonly class:
    | 'land'
    | 'building'
    | 'building_equipment'
    | 'outdoor_facility'
    | 'technical_plant'
    | 'fixtures'
    | 'intangible'
    | 'under_construction';
  readonly account: string;
  /** Useful life under commercial and tax law; null when not depreciated. */
  readonly years: readonly [commercial: number, tax: number] | null;
  readonly method: 'linear' | 'immediate' | 'none';
  /** Per mille of the value of the property. */
  readonly weight: number;
  /** The technical object that is capitalised. */
  readonly equipment: string | null;
  /** Stands in a unit. */
  readonly isInUnit: boolean;
}

const kind = (
  name: string,
  assetClass: AssetKind['class'],
  account: string,
  years: AssetKind['years'],
  weight: number,
  equipment: string | null = null,
): AssetKind => ({
  name,
  class: assetClass,
  account,
  years,
  method: years === null ? 'none' : years[0] === 1 ? 'immediate' : 'linear',
  weight,
  equipment,
  isInUnit: name === 'Einbauküche',
});

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

export const depreciationAccountOf = ({ class: assetClass }: AssetKind): string => (assetClass === 'building' ? '840100' : '840200');
