/** Classes of personal data. A column of one of them is marked where it is declared. */
export const personalClasses = ['name', 'contact', 'bank', 'tax', 'birth'] as const;
export type PersonalClass = (typeof personalClasses)[number];

/** What each class holds. */
export const personalMeanings: Readonly<Record<PersonalClass, string>> = {
  name: 'names of persons and companies, and texts that contain them',
  contact: 'postal addresses, phone numbers and e-mail addresses of persons and companies',
  bank: 'bank accounts and mandates',
  tax: 'tax numbers and certificates',
  birth: 'dates of birth',
};

const ofProperty = 'the address of a property, not of a person';
const ofThing = 'the name of a thing';

/** Columns whose name or meaning suggests personal data, each with the reason why it has no mark. */
export const notPersonal: Readonly<Record<string, string>> = {
  'account.account_group_name': ofThing,
  'accounts.account_group_name': ofThing,
  'asset_hdr.asset_name': ofThing,
  'assets.asset_name': ofThing,
  'building.building_name': ofThing,
  'building.city': ofProperty,
  'building.house_no': ofProperty,
  'building.postal_code': ofProperty,
  'building.street': ofProperty,
  'catalog_value.catalog_name': ofThing,
  'cost_center.cost_center_name': ofThing,
  'employees.job_title': 'a function in the company',
  'index_agreement.index_name': ofThing,
  'index_rent.index_name': ofThing,
  'index_value.index_name': ofThing,
  'kontenmapping.mapping_name': ofThing,
  'kontenmapping.target_name': ofThing,
  'kontenmapping_ranges.mapping_name': ofThing,
  'kontenmapping_ranges.target_name': ofThing,
  'orders.address': ofProperty,
  'orders.city': ofProperty,
  'orders.entrance': ofProperty,
  'orders.postal_code': ofProperty,
  'project_hdr.project_name': ofThing,
  'projects.address': ofProperty,
  'projects.city': ofProperty,
  'projects.entrance': ofProperty,
  'projects.postal_code': ofProperty,
  'projects.project_name': ofThing,
  'properties.address': ofProperty,
  'properties.city': ofProperty,
  'properties.entrance': ofProperty,
  'properties.postal_code': ofProperty,
  'properties.property_name': ofThing,
  'properties.short_name': ofThing,
  'property_hdr.city': ofProperty,
  'property_hdr.house_no': ofProperty,
  'property_hdr.postal_code': ofProperty,
  'property_hdr.property_name': ofThing,
  'property_hdr.short_name': ofThing,
  'property_hdr.street': ofProperty,
  'property_structure.address': ofProperty,
  'property_structure.building_name': ofThing,
  'property_structure.city': ofProperty,
  'property_structure.entrance': ofProperty,
  'property_structure.postal_code': ofProperty,
  'staff_hdr.job_title': 'a function in the company',
  'technical_objects.address': ofProperty,
  'technical_objects.city': ofProperty,
  'technical_objects.entrance': ofProperty,
  'technical_objects.postal_code': ofProperty,
  'technical_objects.to_name': ofThing,
  'tenants.contract_date': 'the day of a signature',
  'to_hdr.to_name': ofThing,
};
