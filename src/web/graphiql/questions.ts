/**
 * Questions of analysts, each as one GraphQL document and one REST request, of groups or of rows. They are examples in GraphiQL and a page of the
 * documentation. `test/analyst/questions.test.ts` compares their answers with SQL.
 */
export const questionDocuments = {
  'rent-roll': `# What is the rent roll at the end of 2025? (Mieterliste)
# A row for each contract and unit with a basic rent on the last day of 2025. Amounts are net, for one payment interval.
query RentRoll {
  contractDebitsGroups(
    asOf: { every: MONTH, from: "2025-12-01", to: "2025-12-31" }
    filter: { debitType: { eq: "basic_rent" } }
    first: 1000
  ) {
    groups {
      asOf
      key {
        propertyId
        floorAreaId
        contractNumber
      }
      sum {
        netAmount
        areaSqm
      }
      perSqm: ratio(of: { sum: NET_AMOUNT }, to: { sum: AREA_SQM })
    }
  }
}
`,
  'vacancy-rate-by-month': `# What is the vacancy rate of each property at the end of each month? (Leerstandsquote)
# A unit is vacant if no basic rent is debited for it on that day. As in the measure vacancy_rate_units, only active units to let count:
# no parking, and none that is occupied by its owner or cannot be let.
query VacancyRateByMonth {
  propertyStructureGroups(
    asOf: { every: MONTH, from: "2025-01-01", to: "2025-12-31" }
    filter: { isActive: { eq: true }, occupancyStatus: { in: ["let", "vacant"] }, not: { usageType: { in: ["parking_space", "garage"] } } }
    first: 1000
  ) {
    groups {
      asOf
      key {
        propertyId
      }
      count
      vacant: count(filter: { contractDebits: { noneValid: { debitType: { eq: "basic_rent" } } } })
      vacantArea: sum(filter: { contractDebits: { noneValid: { debitType: { eq: "basic_rent" } } } }) {
        areaSqm
      }
      rate: ratio(of: { of: "vacant", count: true }, to: { count: true })
    }
  }
}
`,
  'arrears-by-age': `# How old are the open items of each debtor? (Mietrückstände nach Alter)
# Lines on tenant accounts that are not cleared, by the days since their due date.
query ArrearsByAge {
  bookingPositionsGroups(filter: { account: { accountType: { eq: "debtor" } }, clearedDate: { isNull: true } }, first: 1000) {
    groups {
      key {
        accountId
        header {
          age: band(of: DUE_DATE, age: [0, 30, 60, 90], on: "2025-12-31")
        }
      }
      count
      sum {
        signedAmount
      }
    }
  }
}
`,
  'cost-per-sqm-by-year': `# What does maintenance cost per m² in each property and year? (Instandhaltungskosten je m² und Jahr)
# Invoiced repairs, maintenance and inspections, divided by the lettable area of the property.
query CostPerSqmByYear {
  ordersGroups(first: 1000) {
    groups {
      key {
        propertyId
        orderDate(bucket: YEAR)
      }
      sum {
        invoicedNet
      }
      measures {
        maintenanceCostPerSqm
      }
    }
  }
}
`,
  'bookings-against-last-year': `# What was booked on each account per quarter, against the year before? (Buchungen im Vorjahresvergleich)
# Debits are positive and credits are negative.
query BookingsAgainstLastYear {
  bookingPositionsGroups(first: 1000) {
    groups {
      key {
        accountNumber
        bookingDate(bucket: QUARTER)
      }
      sum {
        signedAmount
      }
      yearBefore: previous(of: { sum: SIGNED_AMOUNT }, periods: 4)
      change(of: { sum: SIGNED_AMOUNT }, periods: 4)
    }
  }
}
`,
  'orders-against-invoices': `# How much of the orders is invoiced, by trade? (Aufträge und Rechnungen)
# Rejected and cancelled orders are left out.
query OrdersAgainstInvoices {
  ordersGroups(
    filter: { not: { status: { in: ["rejected", "cancelled"] } } }
    orderBy: [{ computed: "notInvoiced", direction: DESC }]
    first: 1000
  ) {
    groups {
      key {
        trade
      }
      count
      sum {
        totalNet
        invoicedNet
      }
      notInvoiced: difference(of: { sum: TOTAL_NET }, minus: { sum: INVOICED_NET })
      part: ratio(of: { sum: INVOICED_NET }, to: { sum: TOTAL_NET })
    }
  }
}
`,
  'open-notifications-by-age': `# How old are the open notifications, by type of equipment? (Offene Meldungen)
# Each type of equipment has all bands, also those without notifications.
query OpenNotificationsByAge {
  notificationsGroups(filter: { not: { status: { in: ["completed", "cancelled"] } } }, fill: [{ band: "age" }], first: 1000) {
    groups {
      key {
        technicalObject {
          toType
        }
        age: band(of: REPORT_DATE, age: [30, 90, 365], on: "2025-12-31")
      }
      count
    }
  }
}
`,
  'lease-expiries': `# How much rent expires in which year? (Auslaufende Mietverträge)
# Basic rents on the last day of 2025, by the year in which their contract ends. Contracts without an end have no year.
# View: Chart
query LeaseExpiries {
  contractDebitsGroups(
    asOf: { every: MONTH, from: "2025-12-01", to: "2025-12-31" }
    filter: { debitType: { eq: "basic_rent" } }
    first: 1000
  ) {
    groups {
      asOf
      key {
        tenant {
          contractEndDate(bucket: YEAR)
        }
      }
      sum {
        netAmount
      }
      distinct {
        accountId
      }
      atRisk: share(of: { sum: NET_AMOUNT })
    }
  }
}
`,
  'lease-term': `# How long do the leases of each property still run? (Gewichtete Restlaufzeit, WALT)
# Years from the last day of 2024 and of 2025 to the end of the contracts, weighted by annual basic rents. Contracts without an end are left out.
query LeaseTerm {
  contractDebitsGroups(
    asOf: { every: YEAR, from: "2024-12-31", to: "2025-12-31" }
    filter: { debitType: { eq: "basic_rent" } }
    first: 1000
  ) {
    groups {
      key {
        propertyId
      }
      asOf
      measures {
        walt
        annualRent
      }
    }
  }
}
`,
  'largest-tenants': `# Who are the ten largest tenants by rent, and what is their share? (Mieterkonzentration)
# Annual basic rents on the last day of 2025. The part and the running total are in percent.
query LargestTenants {
  contractDebitsGroups(
    asOf: { every: MONTH, from: "2025-12-01", to: "2025-12-31" }
    filter: { debitType: { eq: "basic_rent" } }
    orderBy: [{ measure: ANNUAL_RENT, direction: DESC }]
    first: 10
  ) {
    groups {
      asOf
      key {
        accountId
      }
      measures {
        annualRent
      }
      rank(of: { measure: ANNUAL_RENT })
      part: share(of: { measure: ANNUAL_RENT })
      soFar: runningTotal(of: { computed: "part" })
    }
  }
}
`,
  'budget-against-actual': `# How do budgets compare with actual costs? (Plan-Ist-Vergleich je Kostenstelle)
# Budget lines of the version plan against bookings on expense accounts. A cost centre that has only one of them is there, too.
query BudgetAgainstActual {
  budgetsGroups(filter: { fiscalYear: { gte: 2025 } }, first: 1000) {
    groups {
      key {
        costCenterId
        fiscalYear
      }
      measures {
        plannedCosts
        actualCosts
      }
      left: difference(of: { measure: PLANNED_COSTS }, minus: { measure: ACTUAL_COSTS })
      used: ratio(of: { measure: ACTUAL_COSTS }, to: { measure: PLANNED_COSTS })
    }
  }
}
`,
  'service-charge-recovery': `# Which part of the allocable costs do the advances of tenants cover? (Umlage der Betriebskosten)
# Debited advances against costs that enter the settlement, by the year of the service period.
query ServiceChargeRecovery {
  bookingPositionsGroups(filter: { servicePeriodFrom: { gte: "2025-01-01" } }, first: 1000) {
    groups {
      key {
        propertyId
        servicePeriodFrom(bucket: YEAR)
      }
      measures {
        allocableCosts
        debitedAdvances
        serviceChargeRecovery
      }
      uncovered: difference(of: { measure: ALLOCABLE_COSTS }, minus: { measure: DEBITED_ADVANCES })
    }
  }
}
`,
  'project-budgets': `# How do the budgets of projects compare with the actual amounts? (Projektbudgets)
# Gross budgets against gross invoiced amounts.
query ProjectBudgets {
  projectsGroups(first: 1000) {
    groups {
      key {
        costCenterId
      }
      sum {
        projectBudget
        invoicedGross
      }
      left: difference(of: { sum: PROJECT_BUDGET }, minus: { sum: INVOICED_GROSS })
      used: ratio(of: { sum: INVOICED_GROSS }, to: { sum: PROJECT_BUDGET })
    }
  }
}
`,
  'contracted-rent-by-month': `# How does the contracted rent develop from month to month? (Entwicklung der Sollmiete)
# Annual basic rents that are in force on the last day of the month.
# View: Chart
query ContractedRentByMonth {
  contractDebitsGroups(asOf: { every: MONTH, from: "2025-01-01", to: "2025-12-31" }, filter: { debitType: { eq: "basic_rent" } }) {
    groups {
      asOf
      measures {
        annualRent
      }
      change(of: { measure: ANNUAL_RENT })
    }
  }
}
`,
  'rented-units-by-quarter': `# How many units of each property are rented at the end of each quarter? (Vermietete Einheiten)
# Units with a tenancy that is in force on the last day of the quarter.
# View: Chart
query RentedUnitsByQuarter {
  tenantsGroups(asOf: { every: QUARTER, from: "2025-01-01", to: "2025-12-31" }, fill: [{ asOf: true }], first: 1000) {
    groups {
      asOf
      key {
        propertyId
      }
      distinct {
        floorAreaId
      }
    }
  }
}
`,
  'new-leases': `# How many contracts begin in each month, with months without any? (Neuvermietungen)
# Tenancies by their first day.
# View: Chart
query NewLeases {
  tenantsGroups(filter: { contractStartDate: { gte: "2024-01-01" } }, fill: [{ column: CONTRACT_START_DATE }], first: 1000) {
    groups {
      key {
        contractStartDate(bucket: MONTH)
      }
      count
    }
  }
}
`,
  'deposits-by-band': `# How are deposits distributed over bands of amounts? (Kautionen)
# The first band has the tenancies with a deposit of 0. Those without an agreed deposit come last.
query DepositsByBand {
  tenantsGroups(fill: [{ band: "deposits" }]) {
    groups {
      key {
        deposits: band(of: DEPOSIT_AMOUNT, ranges: [0.01, 1000, 2500])
      }
      count
      sum {
        depositAmount
        depositPaidAmount
      }
    }
  }
}
`,
  'creditors-pareto': `# Which creditors make up most of the invoiced amounts? (ABC-Analyse der Kreditoren)
# The part and the running total are in percent of all invoiced net amounts.
query CreditorsPareto {
  ordersGroups(orderBy: [{ sum: INVOICED_NET, direction: DESC }], first: 1000) {
    groups {
      key {
        creditorNumber
      }
      sum {
        invoicedNet
      }
      part: share(of: { sum: INVOICED_NET })
      soFar: runningTotal(of: { computed: "part" })
    }
  }
}
`,
  'order-sizes': `# How many orders are small, and how many are large? (Auftragsgrößen)
# Bands of 2,500 EUR net.
# View: Chart
query OrderSizes {
  ordersGroups(first: 1000) {
    groups {
      key {
        size: band(of: TOTAL_NET, width: 2500)
      }
      count
      sum {
        totalNet
      }
      part: share(of: { count: true })
    }
  }
}
`,
  'typical-orders': `# What does a typical order of each trade cost, and an expensive one? (Typische Auftragskosten)
# The median, and the net amount that 90 percent of the orders do not exceed.
query TypicalOrders {
  ordersGroups(first: 1000) {
    groups {
      key {
        trade
      }
      median {
        totalNet
      }
      p90: percentile(percent: 90) {
        totalNet
      }
    }
  }
}
`,
  'last-maintenance': `# How long ago was the last maintenance, by type of equipment? (Wartungen)
# Equipment that needs maintenance, by the days from its last one to the end of 2026.
# View: Chart
query LastMaintenance {
  technicalObjectsGroups(filter: { maintenanceRequired: { eq: true } }, first: 1000) {
    groups {
      key {
        toType
        age: band(of: LAST_MAINTENANCE_DATE, age: [180, 365, 730], on: "2026-12-31")
      }
      count
    }
  }
}
`,
  'service-costs': `# What do service contracts cost in a year, by kind, and which are the largest? (Dienstleistungsverträge)
# Net amounts per year of all service contracts.
query ServiceCosts {
  serviceContractsGroups(first: 1000) {
    groups {
      key {
        contractType
      }
      count
      sum {
        annualNet
      }
      part: share(of: { sum: ANNUAL_NET })
      rank(of: { sum: ANNUAL_NET })
    }
  }
}
`,
  'depreciation-by-year': `# How does depreciation change from year to year? (Abschreibungen)
# Scheduled depreciation under commercial law, planned and posted, against the year before.
# View: Chart
query DepreciationByYear {
  depreciationGroups(filter: { depreciationArea: { eq: "commercial" } }, first: 1000) {
    groups {
      key {
        periodTo(bucket: YEAR)
      }
      sum {
        depreciationAmount
      }
      change(of: { sum: DEPRECIATION_AMOUNT })
      before: previous(of: { sum: DEPRECIATION_AMOUNT })
      growth: ratio(of: { computed: "change" }, to: { computed: "before" })
    }
  }
}
`,
  'completion-days': `# How many days pass from a report to its completion, by priority? (Durchlaufzeit je Priorität)
# Orders that follow a report and are executed. A report counts once for each of its orders.
query CompletionDays {
  ordersGroups(
    filter: { notification: { reportDate: { isNull: false } }, executionEndDate: { isNull: false } }
    orderBy: [{ value: "median.days", direction: DESC }]
  ) {
    groups {
      key {
        notification {
          priorityText
        }
      }
      count
      median {
        days(from: { notification: { column: REPORT_DATE } }, to: { column: EXECUTION_END_DATE })
      }
      max {
        longest: days(from: { notification: { column: REPORT_DATE } }, to: { column: EXECUTION_END_DATE })
      }
    }
  }
}
`,
  'vat-by-rate': `# What is the VAT by rate and month? (Umsatzsteuer je Steuersatz und Monat)
# Booking lines with a rate above 0. The tax is the rate in percent of the base of each line, not rounded.
query VatByRate {
  bookingPositionsGroups(filter: { vatRate: { gt: 0 } }, first: 1000) {
    groups {
      key {
        vatRate
        bookingDate(bucket: MONTH)
      }
      sum {
        vatBaseAmount
        tax: percentage(of: { column: VAT_BASE_AMOUNT }, rate: { column: VAT_RATE })
      }
    }
  }
}
`,
  'oldest-open-items': `# What does each debtor owe, since when, and at which dunning level? (Offene Posten mit Mahnstufe)
# Lines on tenant accounts that are not cleared, with the oldest due date of their bookings. The oldest come first.
query OldestOpenItems {
  bookingPositionsGroups(
    filter: { account: { accountType: { eq: "debtor" } }, clearedDate: { isNull: true } }
    having: { sum: { signedAmount: { gt: 0 } } }
    orderBy: [{ value: "min.header.dueDate" }]
    first: 1000
  ) {
    groups {
      key {
        accountId
      }
      sum {
        signedAmount
      }
      min {
        header {
          dueDate
        }
      }
      max {
        account {
          tenant {
            dunningLevel
          }
        }
      }
    }
  }
}
`,
  'expiring-leases': `# Which leases end within twelve months, with tenant, unit, area and rent? (Auslaufende Verträge mit Mieter und Fläche)
# Basic rents on the last day of 2025 whose contract ends in 2026. Amounts are net, for one payment interval. A fixed term without notice is in fixed_term_end_date.
query ExpiringLeases {
  contractDebitsGroups(
    asOf: { every: MONTH, from: "2025-12-01", to: "2025-12-31" }
    filter: { debitType: { eq: "basic_rent" }, tenant: { contractEndDate: { gte: "2026-01-01", lte: "2026-12-31" } } }
    orderBy: [{ key: { tenant: { column: CONTRACT_END_DATE } } }]
    first: 1000
  ) {
    groups {
      asOf
      key {
        tenant {
          contractEndDate
        }
        contractNumber
        name
        floorAreaId
      }
      sum {
        areaSqm
        netAmount
      }
    }
  }
}
`,
  'rent-by-decade-and-city': `# What is the rent per m² by city and decade of construction? (Miete je m² nach Ort und Baujahrzehnt)
# Annual basic rents on the last day of 2025, and the same per m² of contracts with an area.
query RentByDecadeAndCity {
  contractDebitsGroups(
    asOf: { every: MONTH, from: "2025-12-01", to: "2025-12-31" }
    filter: { debitType: { eq: "basic_rent" } }
    first: 1000
  ) {
    groups {
      asOf
      key {
        property {
          city
          decade: band(of: CONSTRUCTION_YEAR, width: 10)
        }
      }
      measures {
        annualRent
        annualRentPerSqm
      }
    }
  }
}
`,
  'large-maintenance-bookings': `# Which bookings on maintenance accounts are over 10,000? (Große Buchungen auf Instandhaltungskonten)
# Debits above 10,000 EUR on accounts of group 805, in all properties and years. The group of accounts is that of the chart of accounts of the demo data.
query LargeMaintenanceBookings {
  bookingPositionsGroups(
    filter: { signedAmount: { gt: 10000 }, account: { accountGroup: { eq: "805" } } }
    orderBy: [{ sum: SIGNED_AMOUNT, direction: DESC }]
    first: 1000
  ) {
    groups {
      key {
        bookingPositionId
        bookingDate
        documentNumber
        propertyId
        account {
          accountNumber
          accountName
        }
        bookingText
      }
      sum {
        signedAmount
      }
    }
  }
}
`,
  'faulty-equipment': `# Which equipment has most faults, and what did they cost? (Störanfällige Anlagen)
# Reports of damage and defects that led to orders, and the invoiced net amounts of these orders. A report without an order has no cost and does not count.
query FaultyEquipment {
  ordersGroups(
    filter: { notification: { reportType: { in: ["damage", "defect"] }, toHdrId: { isNull: false } } }
    orderBy: [{ distinct: REPORT_HDR_ID, direction: DESC }, { sum: INVOICED_NET, direction: DESC }]
    first: 10
  ) {
    groups {
      key {
        notification {
          technicalObject {
            toId
            toName
            toType
          }
        }
      }
      sum {
        invoicedNet
      }
      distinct {
        reportHdrId
      }
    }
  }
}
`,
  'notifications-without-orders': `# Which notifications have no order? (Meldungen ohne Auftrag)
# All of them, the newest first. Add a condition on the status for those that are still open.
query NotificationsWithoutOrders {
  notifications(filter: { orders: { none: {} } }, orderBy: [{ reportDate: DESC }], first: 1000) {
    nodes {
      reportHdrId
      reportDate
      reportType
      priorityText
      status
      property {
        propertyName
      }
      technicalObject {
        toName
      }
    }
  }
}
`,
  'arrears-contacts': `# Who of a property is in arrears, and how are they reached? (Kontaktliste der Mieter mit Rückstand)
# Tenants of the property 1002 with an open balance, the largest first. A key without contact data gets null in its columns.
query ArrearsContacts {
  tenants(filter: { propertyId: { eq: 1002 }, balance: { gt: 0 } }, orderBy: [{ balance: DESC }], first: 1000) {
    nodes {
      contractNumber
      name
      phone
      mobile
      email
      floorAreaId
      balance
      dunningLevel
    }
  }
}
`,
  'contracts-to-cancel': `# Which service contracts can be cancelled within 90 days? (Kündbare Dienstleistungsverträge)
# Active contracts without notice, by the next date to which notice can be given, as of the 15th of October 2026. The notice must arrive the period of notice before that date.
query ContractsToCancel {
  serviceContracts(
    filter: { status: { eq: "active" }, terminationDate: { isNull: true }, nextTerminationDate: { gte: "2026-10-15", lte: "2027-01-13" } }
    orderBy: [{ nextTerminationDate: ASC }, { annualNet: DESC }]
    first: 1000
  ) {
    nodes {
      contractNumber
      name
      contractType
      property {
        propertyName
      }
      annualNet
      nextTerminationDate
      noticePeriodMonths
    }
  }
}
`,
} as const;

/** The same questions in REST. */
export const questionPaths: Readonly<Record<keyof typeof questionDocuments, string>> = {
  'rent-roll':
    '/contracts/contract_debits/groups?by=as_of:month(2025-12-01,2025-12-31),property_id,floor_area_id,contract_number&sum=net_amount,area_sqm&value=per_sqm:ratio(sum_net_amount,sum_area_sqm)&where=debit_type=basic_rent',
  'vacancy-rate-by-month':
    '/property/property_structure/groups?by=as_of:month(2025-01-01,2025-12-31),property_id&count&value=vacant:count(contract_debits:none_valid(debit_type=basic_rent)),vacant_area:sum(area_sqm,contract_debits:none_valid(debit_type=basic_rent)),rate:ratio(vacant,count)&where=is_active=true,occupancy_status:in(let,vacant),usage_type:not_in(parking_space,garage)',
  'arrears-by-age':
    '/accounting/booking_positions/groups?by=account_id,header.due_date:age(0,30,60,90,on=2025-12-31)&count&sum=signed_amount&where=account.account_type=debtor,cleared_date:is_null&limit=1000',
  'cost-per-sqm-by-year': '/operations/orders/groups?by=property_id,order_date:year&sum=invoiced_net&measure=maintenance_cost_per_sqm',
  'bookings-against-last-year':
    '/accounting/booking_positions/groups?by=account_number,booking_date:quarter&sum=signed_amount&value=year_before:previous(sum_signed_amount,4),change:change(sum_signed_amount,4)&limit=1000',
  'orders-against-invoices':
    '/operations/orders/groups?by=trade&count&sum=total_net,invoiced_net&value=not_invoiced:difference(sum_total_net,sum_invoiced_net),part:ratio(sum_invoiced_net,sum_total_net)&where=status:not_in(rejected,cancelled)&order=-not_invoiced',
  'open-notifications-by-age':
    '/operations/notifications/groups?by=technical_object.to_type,report_date:age(30,90,365,on=2025-12-31)&count&where=status:not_in(completed,cancelled)&fill=report_date_age',
  'lease-expiries':
    '/contracts/contract_debits/groups?by=as_of:month(2025-12-01,2025-12-31),tenant.contract_end_date:year&sum=net_amount&distinct=account_id&value=at_risk:share(sum_net_amount)&where=debit_type=basic_rent',
  'lease-term':
    '/contracts/contract_debits/groups?by=property_id,as_of:year(2024-12-31,2025-12-31)&measure=walt,annual_rent&where=debit_type=basic_rent',
  'largest-tenants':
    '/contracts/contract_debits/groups?by=as_of:month(2025-12-01,2025-12-31),account_id&measure=annual_rent&value=rank:rank(annual_rent),part:share(annual_rent),so_far:running_total(part)&where=debit_type=basic_rent&order=-annual_rent&limit=10',
  'budget-against-actual':
    '/accounting/budgets/groups?by=cost_center_id,fiscal_year&measure=planned_costs,actual_costs&value=left:difference(planned_costs,actual_costs),used:ratio(actual_costs,planned_costs)&where=fiscal_year>=2025',
  'service-charge-recovery':
    '/accounting/booking_positions/groups?by=property_id,service_period_from:year&measure=allocable_costs,debited_advances,service_charge_recovery&value=uncovered:difference(allocable_costs,debited_advances)&where=service_period_from>=2025-01-01',
  'project-budgets':
    '/operations/projects/groups?by=cost_center_id&sum=project_budget,invoiced_gross&value=left:difference(sum_project_budget,sum_invoiced_gross),used:ratio(sum_invoiced_gross,sum_project_budget)',
  'contracted-rent-by-month':
    '/contracts/contract_debits/groups?by=as_of:month(2025-01-01,2025-12-31)&measure=annual_rent&value=change:change(annual_rent)&where=debit_type=basic_rent',
  'rented-units-by-quarter':
    '/stakeholder/tenants/groups?by=as_of:quarter(2025-01-01,2025-12-31),property_id&distinct=floor_area_id&fill=as_of',
  'new-leases':
    '/stakeholder/tenants/groups?by=contract_start_date:month&count&fill=contract_start_date_month&where=contract_start_date>=2024-01-01',
  'deposits-by-band':
    '/stakeholder/tenants/groups?by=deposit_amount:ranges(0.01,1000,2500)&count&sum=deposit_amount,deposit_paid_amount&fill=deposit_amount_ranges',
  'creditors-pareto':
    '/operations/orders/groups?by=creditor_number&sum=invoiced_net&value=part:share(sum_invoiced_net),so_far:running_total(part)&order=-sum_invoiced_net&limit=1000',
  'order-sizes': '/operations/orders/groups?by=total_net:width(2500)&count&sum=total_net&value=part:share(count)',
  'typical-orders': '/operations/orders/groups?by=trade&median=total_net&value=p90:percentile(total_net,90)',
  'last-maintenance':
    '/property/technical_objects/groups?by=to_type,last_maintenance_date:age(180,365,730,on=2026-12-31)&count&where=maintenance_required=true',
  'service-costs':
    '/contracts/service_contracts/groups?by=contract_type&count&sum=annual_net&value=part:share(sum_annual_net),rank:rank(sum_annual_net)',
  'depreciation-by-year':
    '/depreciation/depreciation/groups?by=period_to:year&sum=depreciation_amount&value=change:change(sum_depreciation_amount),before:previous(sum_depreciation_amount),growth:ratio(change,before)&where=depreciation_area=commercial',
  'completion-days':
    '/operations/orders/groups?by=notification.priority_text&count&value=days:median(days(notification.report_date,execution_end_date)),longest:max(days(notification.report_date,execution_end_date))&where=notification.report_date:is_not_null,execution_end_date:is_not_null&order=-days',
  'vat-by-rate':
    '/accounting/booking_positions/groups?by=vat_rate,booking_date:month&sum=vat_base_amount&value=tax:sum(percentage(vat_base_amount,vat_rate))&where=vat_rate>0&limit=1000',
  'oldest-open-items':
    '/accounting/booking_positions/groups?by=account_id&sum=signed_amount&min=header.due_date&max=account.tenant.dunning_level&where=account.account_type=debtor,cleared_date:is_null&having=sum_signed_amount>0&order=min_header_due_date&limit=1000',
  'expiring-leases':
    '/contracts/contract_debits/groups?by=as_of:month(2025-12-01,2025-12-31),tenant.contract_end_date,contract_number,name,floor_area_id&sum=area_sqm,net_amount&where=debit_type=basic_rent,tenant.contract_end_date>=2026-01-01,tenant.contract_end_date<=2026-12-31&order=tenant_contract_end_date',
  'rent-by-decade-and-city':
    '/contracts/contract_debits/groups?by=as_of:month(2025-12-01,2025-12-31),property.city,property.construction_year:width(10)&measure=annual_rent,annual_rent_per_sqm&where=debit_type=basic_rent',
  'large-maintenance-bookings':
    '/accounting/booking_positions/groups?by=booking_position_id,booking_date,document_number,property_id,account.account_number,account.account_name,booking_text&sum=signed_amount&where=signed_amount>10000,account.account_group=805&order=-sum_signed_amount',
  'faulty-equipment':
    '/operations/orders/groups?by=notification.technical_object.to_id,notification.technical_object.to_name,notification.technical_object.to_type&sum=invoiced_net&distinct=report_hdr_id&where=notification.report_type:in(damage,defect),notification.to_hdr_id:is_not_null&order=-distinct_report_hdr_id,-sum_invoiced_net&limit=10',
  'notifications-without-orders':
    '/operations/notifications?columns=report_hdr_id,report_date,report_type,priority_text,status,property.property_name,technical_object.to_name&where=orders:none()&order=-report_date',
  'arrears-contacts':
    '/stakeholder/tenants?property_id=1002&columns=contract_number,name,phone,mobile,email,floor_area_id,balance,dunning_level&where=balance>0&order=-balance',
  'contracts-to-cancel':
    '/contracts/service_contracts?columns=contract_number,name,contract_type,property.property_name,annual_net,next_termination_date,notice_period_months&where=status=active,termination_date:is_null,next_termination_date>=2026-10-15,next_termination_date<=2027-01-13&order=next_termination_date,-annual_net',
};
