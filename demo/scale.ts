/**
 * The quantities of each scale. The rates follow the expected row counts, so one set of rates serves small, medium and large. bench
 * differs: many properties with four units each, whose rates give exactly 10 technical objects, 40 notifications, 40 offers and 100 orders
 * per property.
 */

export type Scale = 'tiny' | 'small' | 'medium' | 'large' | 'bench';

export interface Volume {
  readonly properties: number;
  /** Units of an average property, without parking. */
  readonly unitsPerProperty: number;
  /** 1 gives properties of different sizes, 0 equal ones. */
  readonly sizeSpread: 0 | 1;
  readonly parkingPerUnit: number;
  /** Years of maintenance history. */
  readonly years: number;
  /** Years in which tenants moved and debits changed. */
  readonly lettingYears: number;
  /** Years of debit and payment runs. */
  readonly bookingYears: number;
  readonly creditors: number;
  readonly staff: number;
  readonly owners: number;
  readonly serviceContractsPerProperty: number;
  readonly assignmentsPerProperty: number;
  readonly assetsPerProperty: number;
  readonly equipmentPerUnit: number;
  readonly notificationsPerUnitYear: number;
  readonly offersPerUnitYear: number;
  readonly ordersPerUnitYear: number;
  readonly projectsPerYear: number;
  /** Share of commercial tenancies with an index clause. For dwellings it is a twelfth. */
  readonly indexedShare: number;
  /** Fiscal years with a budget, including the next one. */
  readonly budgetYears: number;
  /** One in so many properties has a budget. */
  readonly propertiesPerBudget: number;
  /** Share of old orders that are closed, and therefore invoiced and paid. The others wait for their invoice. */
  readonly settledShare: number;
  /** Whether invoices of orders have a booking document. */
  readonly booksInvoices: boolean;
  /** The granularity of the account mappings. */
  readonly mappingDetail: 'group' | 'account' | 'account_with_history';
}

const small: Volume = {
  properties: 25,
  unitsPerProperty: 25,
  sizeSpread: 1,
  parkingPerUnit: 0.18,
  years: 5,
  lettingYears: 5,
  bookingYears: 5,
  creditors: 150,
  staff: 8,
  owners: 20,
  serviceContractsPerProperty: 8,
  assignmentsPerProperty: 10,
  assetsPerProperty: 10,
  equipmentPerUnit: 0.95,
  notificationsPerUnitYear: 0.74,
  offersPerUnitYear: 0.275,
  ordersPerUnitYear: 0.9,
  projectsPerYear: 0.32,
  indexedShare: 0.26,
  budgetYears: 5,
  propertiesPerBudget: 1,
  settledShare: 0.92,
  booksInvoices: true,
  mappingDetail: 'group',
};

export const volumes: Readonly<Record<Scale, Volume>> = {
  tiny: {
    ...small,
    properties: 3,
    unitsPerProperty: 24,
    years: 2,
    lettingYears: 2,
    bookingYears: 1,
    creditors: 40,
    owners: 6,
    budgetYears: 2,
    projectsPerYear: 1,
    indexedShare: 0.7,
  },
  small,
  medium: {
    ...small,
    properties: 400,
    unitsPerProperty: 31,
    years: 8,
    lettingYears: 8,
    bookingYears: 8,
    creditors: 1500,
    staff: 60,
    owners: 400,
    serviceContractsPerProperty: 9,
    assignmentsPerProperty: 12,
    assetsPerProperty: 15,
    equipmentPerUnit: 1.05,
    projectsPerYear: 0.28,
    mappingDetail: 'account',
  },
  large: {
    ...small,
    properties: 4000,
    unitsPerProperty: 39,
    years: 10,
    lettingYears: 10,
    bookingYears: 10,
    creditors: 8000,
    staff: 700,
    owners: 9000,
    serviceContractsPerProperty: 9,
    assignmentsPerProperty: 15,
    assetsPerProperty: 20,
    equipmentPerUnit: 1.1,
    projectsPerYear: 0.3,
    mappingDetail: 'account_with_history',
  },
  bench: {
    ...small,
    properties: 5000,
    unitsPerProperty: 4,
    sizeSpread: 0,
    parkingPerUnit: 0,
    years: 10,
    lettingYears: 0,
    // The last month, so that there are arrears.
    bookingYears: 1 / 12,
    creditors: 500,
    staff: 60,
    owners: 400,
    serviceContractsPerProperty: 1,
    assignmentsPerProperty: 1,
    assetsPerProperty: 1,
    equipmentPerUnit: 2.5,
    notificationsPerUnitYear: 1,
    offersPerUnitYear: 1,
    ordersPerUnitYear: 2.5,
    projectsPerYear: 0.03,
    budgetYears: 2,
    // Budgets of all properties would be more rows than all others together.
    propertiesPerBudget: 50,
    settledShare: 0.15,
    booksInvoices: false,
  },
};

const sizes = [0.6, 1.3, 0.8, 1.2, 1, 0.7, 1.5, 0.9];

/** Units of the property at `index`. Sizes repeat in a cycle with the configured average. */
export const unitCount = (volume: Volume, index: number): number =>
  Math.round(volume.unitsPerProperty * (1 + volume.sizeSpread * (sizes[index % sizes.length]! - 1)));

export interface PropertyCounts {
  readonly equipment: number;
  readonly notifications: number;
  readonly offers: number;
  readonly orders: number;
  readonly projects: number;
}

/** The quantities of a property with that many units. There are fewer projects than properties, so fractions carry over to the next. */
export const propertyCounts = (volume: Volume, index: number): PropertyCounts => {
  const units = unitCount(volume, index);
  const projects = volume.years * volume.projectsPerYear;
  return {
    equipment: Math.round(units * volume.equipmentPerUnit),
    notifications: Math.round(units * volume.years * volume.notificationsPerUnitYear),
    offers: Math.round(units * volume.years * volume.offersPerUnitYear),
    orders: Math.round(units * volume.years * volume.ordersPerUnitYear),
    projects: Math.floor((index + 1) * projects) - Math.floor(index * projects),
  };
};
